#include "holo/sim/control/step_loss.h"

#include "holo/sim/dynamics/elastic_scene.h"

namespace holo {

void ObservedStepLoss::begin(const ElasticState& start, const ElasticState* before, const Eigen::VectorXd& start_activations,
                             const Eigen::VectorXd& activations_before) {
  start_ = start;
  has_before_ = before != nullptr;
  if (before) before_ = *before;
  end_ = start;
  end_.step = start.step + 1 - first_step_;  // signals and observables are asked for at the same knot, the state's own step
  end_.time = start.time + data_.time_step;
  activations_ = {Eigen::VectorXd(), start_activations, activations_before};
  const StepContext step = step_from({.time_step = data_.time_step, .scheme = scheme_}, start);
  reference_ = step.reference_positions();
  effective_step_ = step.effective_step();
}

ElasticSteps ObservedStepLoss::at(const Eigen::VectorXd& x) {
  end_.positions = x;
  end_.velocities = (x - reference_) / effective_step_;
  ElasticSteps steps{{&end_, &start_, has_before_ ? &before_ : nullptr}};
  for (std::size_t back = 0; back < activations_.size(); ++back)
    if (activations_[back].size() > 0) steps.activations[back] = &activations_[back];
  return steps;
}

double ObservedStepLoss::value(const Eigen::VectorXd& x) {
  const ElasticSteps steps = at(x);
  const int knot = int(end_.step);
  double value = 0;
  losses_->evaluate(steps, data_, knot, knot + 1, &value);
  return value;
}

// In all unknowns of three steps, in the order of ElasticObservables.
Eigen::VectorXd ObservedStepLoss::gradient_of_unknowns(const ElasticSteps& steps) const {
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(losses_->observables().unknown_count(steps));
  losses_->add_gradient(steps, data_, int(end_.step), gradient);
  return gradient;
}

// Of the unknowns of a step, positions and velocities of the end depend on x.
void ObservedStepLoss::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  const Eigen::VectorXd of_unknowns = gradient_of_unknowns(at(x));
  gradient += of_unknowns.head(x.size()) + of_unknowns.segment(x.size(), x.size()) / effective_step_;
}

void ObservedStepLoss::add_activation_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  gradient += gradient_of_unknowns(at(x)).segment(6 * x.size(), gradient.size());
}

void ObservedStepLoss::add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                                            Eigen::MatrixXd& result) {
  const auto segments = Eigen::Index(losses_->observables().segments().size());
  StepColumns products{Eigen::MatrixXd::Zero(x.size(), directions.cols()), Eigen::MatrixXd::Zero(segments, directions.cols())};
  add_joint_hessian_products(x, {directions, products.activations}, gauss_newton, products);
  result += products.positions;
}

void ObservedStepLoss::add_joint_hessian_products(const Eigen::VectorXd& x, const StepColumns& directions, bool gauss_newton,
                                                  StepColumns& result) {
  const ElasticSteps steps = at(x);
  const Eigen::Index size = x.size(), segments = directions.activations.rows();
  const auto quadratics = losses_->quadratics(steps, data_, gauss_newton, int(end_.step));
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(losses_->observables().unknown_count(steps)), product(direction.size());
  for (Eigen::Index j = 0; j < directions.positions.cols(); ++j) {
    direction.head(size) = directions.positions.col(j);
    direction.segment(size, size) = directions.positions.col(j) / effective_step_;
    direction.segment(6 * size, segments) = directions.activations.col(j);
    product.setZero();
    losses_->add_hessian_product(quadratics, steps, gauss_newton, int(end_.step), direction, product);
    result.positions.col(j) += product.head(size) + product.segment(size, size) / effective_step_;
    result.activations.col(j) += product.segment(6 * size, segments);
  }
}

}  // namespace holo
