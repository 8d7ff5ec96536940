#include "holo/sim/control/step_loss.h"

namespace holo {

void ObservedStepLoss::begin(const ElasticState& start, const ElasticState* before) {
  start_ = start;
  has_before_ = before != nullptr;
  if (before) before_ = *before;
  end_ = start;
  end_.step = start.step + 1 - first_step_;  // signals and observables are asked for at the same knot, the state's own step
  end_.time = start.time + data_.time_step;
}

ElasticSteps ObservedStepLoss::at(const Eigen::VectorXd& x) {
  end_.positions = x;
  end_.velocities = (x - start_.positions) / data_.time_step;
  return {{&end_, &start_, has_before_ ? &before_ : nullptr}};
}

double ObservedStepLoss::value(const Eigen::VectorXd& x) {
  const ElasticSteps steps = at(x);
  const int knot = int(end_.step);
  double value = 0;
  losses_->evaluate(steps, data_, knot, knot + 1, &value);
  return value;
}

// Of the unknowns of a step, positions and velocities of the end depend on x.
void ObservedStepLoss::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  const ElasticSteps steps = at(x);
  Eigen::VectorXd of_unknowns = Eigen::VectorXd::Zero(losses_->observables().unknown_count(steps));
  losses_->add_gradient(steps, data_, int(end_.step), of_unknowns);
  gradient += of_unknowns.head(x.size()) + of_unknowns.segment(x.size(), x.size()) / data_.time_step;
}

void ObservedStepLoss::add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                                            Eigen::MatrixXd& result) {
  const ElasticSteps steps = at(x);
  const Eigen::Index size = x.size();
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(losses_->observables().unknown_count(steps)), product(direction.size());
  for (Eigen::Index j = 0; j < directions.cols(); ++j) {
    direction.head(size) = directions.col(j);
    direction.segment(size, size) = directions.col(j) / data_.time_step;
    product.setZero();
    losses_->add_hessian_product(steps, data_, gauss_newton, int(end_.step), direction, product);
    result.col(j) += product.head(size) + product.segment(size, size) / data_.time_step;
  }
}

}  // namespace holo
