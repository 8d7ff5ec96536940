#pragma once
// Losses of a mechanism as a discrete-time optimal control problem sees them: at many knots in lanes, with gradients and
// Hessians in the unknowns of a stage.

#include <Eigen/Core>
#include <memory>
#include <utility>
#include <vector>

#include "holo/sim/mechanism/losses/mechanism_observables.h"
#include "holo/sim/mechanism/losses/state_rate_observables.h"

namespace holo {

class MechanismLosses {
 public:
  // Throws Error(input) where a loss asks for what a mechanism lacks, with both names and what there is.
  MechanismLosses(const std::shared_ptr<const MechanismLayout>& layout, std::vector<NamedLoss> losses);

  const std::vector<NamedLoss>& losses() const { return losses_; }

  // Unknowns of a stage are numbered p, u, v, s. The pairs (row <= column) of which some loss has second derivatives.
  std::vector<std::pair<int, int>> hessian_entries() const;
  // Where these pairs stand among the values that differentiate() adds to: in the order of hessian_entries().
  void place(std::vector<int> values) { places_ = std::move(values); }

  // The sum of all losses at the knots [first, last): to objective[k - first].
  void evaluate(const MechanismKnots& at, const LossData& data, int first, int last, double* objective) const;
  // Of the knots of one block, at most HOLO_LANE_WIDTH: adds gradients to gradient[stage unknown][k - first] and second
  // derivatives to hessian[place][k - first], both with a lane for each knot.
  void differentiate(const MechanismKnots& at, const LossData& data, bool gauss_newton, int first, int last, double* gradient,
                     double* hessian) const;
  // Losses of rates of dependent controls are left out above. Their states, ascending, and the sum of the losses at rates
  // [rated state][knot], in the layout's units; and each rate's first and second derivative.
  const std::vector<int>& rated_states() const { return rate_losses_.observables().rated_states(); }
  double evaluate_state_rates(const Eigen::MatrixXd& rates, const LossData& data) const;
  void differentiate_state_rates(const Eigen::MatrixXd& rates, const LossData& data, Eigen::MatrixXd& slopes,
                                 Eigen::MatrixXd& curvatures) const;
  // How much of the way from here to there, in (0, 1], leaves a hundredth of all distances from limits that are positive here.
  double feasible_step(const MechanismKnots& at, const MechanismKnots& after, const LossData& data) const;
  // Of one loss, for reports: [measure][knot] over the whole trajectory; NaN where it has no term.
  Eigen::MatrixXd measures(std::size_t loss, const MechanismKnots& at, const LossData& data) const;

 private:
  struct Place {
    bool is_rate;       // whether it is one of rate_losses_
    std::size_t index;  // in its sum
  };

  void pull_back(std::size_t loss, const MechanismKnots& at, int knot, const double* slopes, const double* curvatures,
                 bool gauss_newton, double* gradient, double* hessian) const;

  std::vector<NamedLoss> losses_;
  std::vector<Place> place_of_;  // [loss]
  LossSum<MechanismObservables> knot_losses_;
  LossSum<StateRateObservables> rate_losses_;
  std::vector<int> first_entry_;  // [knot loss] among hessian_entries()
  std::vector<int> places_;
};

}  // namespace holo
