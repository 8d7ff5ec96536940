#pragma once
// Sum of a mechanism's losses for a discrete-time optimal control problem: at many knots in lanes, with gradients and Hessians
// in the unknowns of a stage. Unknowns are in the layout's units; losses get SI units.

#include <Eigen/Core>
#include <memory>
#include <utility>
#include <vector>

#include "holo/sim/mechanism/losses/mechanism_observables.h"
#include "holo/sim/mechanism/losses/state_rate_observables.h"

namespace holo {

class MechanismLosses {
 public:
  // Throws Error(input) for a loss with an observable that a mechanism lacks, with both names and the available ones.
  MechanismLosses(const std::shared_ptr<const MechanismLayout>& layout, std::vector<NamedLoss> losses);

  const std::vector<NamedLoss>& losses() const { return losses_; }

  // The pairs (row <= column) of unknowns with second derivatives, loss after loss. A stage's unknowns are numbered p, u, v, s.
  std::vector<std::pair<int, int>> hessian_entries() const;
  // Sets the index, among the values to which differentiate() adds, of each of hessian_entries().
  void set_hessian_values(std::vector<int> values) { hessian_values_ = std::move(values); }

  // Writes the sum of all losses at the knots [first, last) to objective[k - first].
  void evaluate(const MechanismKnots& at, const LossData& data, int first, int last, double* objective) const;
  // At the knots of one block, at most HOLO_LANE_WIDTH: adds gradients to gradient[stage unknown][k - first] and second
  // derivatives to hessian[value][k - first], with one lane for each knot.
  void differentiate(const MechanismKnots& at, const LossData& data, bool gauss_newton, int first, int last, double* gradient,
                     double* hessian) const;
  // The functions above omit losses of the rates of dependent controls, which are these: the states of those controls,
  // ascending; the sum of the losses at rates [rated state][knot], in the layout's units; its first and second derivatives.
  const std::vector<int>& rated_states() const { return rate_losses_.observables().rated_states(); }
  double evaluate_state_rates(const Eigen::MatrixXd& rates, const LossData& data) const;
  void differentiate_state_rates(const Eigen::MatrixXd& rates, const LossData& data, Eigen::MatrixXd& slopes,
                                 Eigen::MatrixXd& curvatures) const;
  // The longest fraction in (0, 1] of the way from `at` to `after` that keeps a hundredth of each positive distance from a
  // limit.
  double feasible_step(const MechanismKnots& at, const MechanismKnots& after, const LossData& data) const;
  // The measures of one loss over the trajectory, in their own units: [measure][knot]; NaN at knots without a term.
  Eigen::MatrixXd measures(std::size_t loss, const MechanismKnots& at, const LossData& data) const;

 private:
  struct LossPosition {
    bool is_rate;       // whether the loss is in rate_losses_, else in knot_losses_
    std::size_t index;  // in that sum
  };

  void pull_back(std::size_t loss, const MechanismKnots& at, int knot, const double* slopes, const double* curvatures,
                 bool gauss_newton, double* gradient, double* hessian) const;

  std::vector<NamedLoss> losses_;
  std::vector<LossPosition> position_of_;  // [loss]
  LossSum<MechanismObservables> knot_losses_;
  LossSum<StateRateObservables> rate_losses_;
  std::vector<int> first_entry_;  // [knot loss] among hessian_entries()
  std::vector<int> hessian_values_;
};

}  // namespace holo
