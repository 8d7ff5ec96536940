#pragma once
// Observables of a mechanism (losses/loss_sum.h): rates of dependent controls. Such a control is a state, and its rate is a
// difference of two knots, which it couples. A loss may observe one such rate and no other observable.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/losses/loss_sum.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

class StateRateObservables {
 public:
  // Rates [rated state][knot], in the layout's units; one column less than knots.
  struct Motion {
    const Eigen::MatrixXd& rates;
  };
  struct Binding {
    int index;     // in the rated states
    double scale;  // SI rate over the rate in the layout's units
  };

  // `rated_states`: the states whose rates are observed, ascending.
  StateRateObservables(std::shared_ptr<const MechanismLayout> layout, std::vector<int> rated_states)
      : layout_(std::move(layout)), rated_states_(std::move(rated_states)) {}

  // The index of the dependent control whose rate the loss observes; null for a loss without one.
  static const UnknownIndex* observed_by(const NamedLoss& loss, const MechanismLayout& layout);
  const std::vector<int>& rated_states() const { return rated_states_; }
  Eigen::MatrixXd rates(const Eigen::MatrixXd& states, double time_step) const;

  Binding bind(const NamedLoss& loss) const;
  int knot_count(const Binding&, const Motion& at) const { return int(at.rates.cols()); }
  bool exists(const Binding&, const Motion& at, const LossData& data, int knot) const;
  void values(const Binding& binding, const Motion& at, int first, int count, double* z) const;
  Eigen::Index unknown_count(const Motion& at) const { return at.rates.rows(); }
  void push_forward(const Binding& binding, const Motion&, int, const ConstVector& dx, VectorReference dz) const {
    dz[0] = binding.scale * dx[binding.index];
  }
  void pull_back(const Binding& binding, const Motion&, int, const ConstVector& gz, VectorReference gx) const {
    gx[binding.index] += binding.scale * gz[0];
  }
  void second_order(const Binding&, const Motion&, int, const ConstVector&, const ConstVector&, VectorReference) const {}

 private:
  std::shared_ptr<const MechanismLayout> layout_;
  std::vector<int> rated_states_;
};

}  // namespace holo
