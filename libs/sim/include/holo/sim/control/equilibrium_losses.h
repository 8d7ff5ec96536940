#pragma once
// Losses of observables (losses/loss_sum.h) of a body at rest as a loss of positions: velocities are 0, and there is no step
// before.

#include <memory>

#include "holo/sim/control/step_loss.h"

namespace holo {

class EquilibriumLosses final : public StepLoss {
 public:
  // Signals have their values at `step`, of the time [s]. Throws Error(input), with the loss's place, for a loss that observes
  // an earlier step or an activation.
  EquilibriumLosses(std::shared_ptr<const LossSum<ElasticObservables>> losses, LossData data, const ElasticState& state);

  double value(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                            Eigen::MatrixXd& result) override;

 private:
  ElasticSteps at(const Eigen::VectorXd& x);

  std::shared_ptr<const LossSum<ElasticObservables>> losses_;
  LossData data_;
  ElasticState state_;
};

}  // namespace holo
