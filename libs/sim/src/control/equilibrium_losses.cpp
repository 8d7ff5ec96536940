#include "holo/sim/control/equilibrium_losses.h"

#include <fmt/format.h>

#include "holo/sim/losses/loss_data.h"

namespace holo {

EquilibriumLosses::EquilibriumLosses(std::shared_ptr<const LossSum<ElasticObservables>> losses, LossData data,
                                     const ElasticState& state)
    : losses_(std::move(losses)), data_(std::move(data)), state_(state) {
  state_.velocities.setZero(state_.positions.size());
  for (std::size_t k = 0; k < losses_->size(); ++k)
    for (const ElasticObservables::Bound& bound : losses_->binding(k).observables)
      if (bound.back > 0 || bound.is_activation)
        refuse_loss(losses_->loss(k),
                    fmt::format("it observes {}, which an equilibrium does not have; take a loss of the present positions",
                                bound.is_activation ? "an activation" : "an earlier step"));
}

ElasticSteps EquilibriumLosses::at(const Eigen::VectorXd& x) {
  state_.positions = x;
  return {{&state_, nullptr, nullptr}};
}

double EquilibriumLosses::value(const Eigen::VectorXd& x) {
  const int knot = int(state_.step);
  double value = 0;
  losses_->evaluate(at(x), data_, knot, knot + 1, &value);
  return value;
}

// Of the unknowns of a step the positions come first.
void EquilibriumLosses::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  const ElasticSteps steps = at(x);
  Eigen::VectorXd of_unknowns = Eigen::VectorXd::Zero(losses_->observables().unknown_count(steps));
  losses_->add_gradient(steps, data_, int(state_.step), of_unknowns);
  gradient += of_unknowns.head(x.size());
}

void EquilibriumLosses::add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                                             Eigen::MatrixXd& result) {
  const ElasticSteps steps = at(x);
  const int knot = int(state_.step);
  const auto quadratics = losses_->quadratics(steps, data_, gauss_newton, knot);
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(losses_->observables().unknown_count(steps)), product(direction.size());
  for (Eigen::Index j = 0; j < directions.cols(); ++j) {
    direction.head(x.size()) = directions.col(j);
    product.setZero();
    losses_->add_hessian_product(quadratics, steps, gauss_newton, knot, direction, product);
    result.col(j) += product.head(x.size());
  }
}

}  // namespace holo
