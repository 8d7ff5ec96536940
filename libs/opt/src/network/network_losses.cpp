#include "holo/opt/network/network_losses.h"

#include <fmt/format.h>

#include <cmath>

#include "holo/core/error.h"

namespace holo {

namespace {

const NetworkRecurrence plain_recurrence;

const NetworkShape& require_samples(const NetworkShape& shape, const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) {
  check_shape(shape);
  if (inputs.rows() != shape.inputs() || targets.rows() != shape.outputs() || inputs.cols() != targets.cols() ||
      inputs.cols() < 1)
    throw Error(Failure::internal,
                fmt::format("the loss of a network has inputs [{}][{}] and targets [{}][{}]; they must be [{}][samples] and "
                            "[{}][samples] of at least one sample.",
                            inputs.rows(), inputs.cols(), targets.rows(), targets.cols(), shape.inputs(), shape.outputs()));
  return shape;
}

const NetworkShape& require_states(const NetworkShape& shape, const Eigen::MatrixXd& states,
                                   const NetworkRecurrence& recurrence) {
  check_shape(shape);
  const bool fits = &recurrence != &plain_recurrence || (shape.inputs() == states.rows() && shape.outputs() == states.rows());
  if (states.rows() < 1 || states.cols() < 2 || !fits)
    throw Error(
        Failure::internal,
        fmt::format("the loss of a repeated network of {} inputs and {} outputs has states [{}][{}]; it needs at least two "
                    "states, and without a recurrence of its own as many entries as inputs and outputs.",
                    shape.inputs(), shape.outputs(), states.rows(), states.cols()));
  return shape;
}

void require_weights(const NetworkShape& shape, const Eigen::VectorXd& weights) {
  if (weights.size() != shape.weight_count())
    throw Error(Failure::internal,
                fmt::format("a network has {} weights and was given {}.", shape.weight_count(), weights.size()));
}

}  // namespace

TransitionLoss::TransitionLoss(const NetworkShape& shape, const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets)
    : shape_(require_samples(shape, inputs, targets)), targets_(targets), batch_(shape, int(inputs.cols())) {
  batch_.inputs() = inputs;
}

double TransitionLoss::value(const Eigen::VectorXd& weights) {
  require_weights(shape_, weights);
  evaluate(shape_, weights, batch_, 0, batch_.samples());
  return (batch_.outputs() - targets_).squaredNorm();
}

void TransitionLoss::gradient(const Eigen::VectorXd& weights, Eigen::VectorXd& gradient) {
  batch_.output_adjoints() = 2 * (batch_.outputs() - targets_);
  pull_back(shape_, weights, batch_, 0, batch_.samples());
  find_gradient(shape_, batch_, gradient);
}

RolloutLoss::RolloutLoss(const NetworkShape& shape, const Eigen::MatrixXd& states, double largest_state)
    : RolloutLoss(shape, states, plain_recurrence, largest_state) {}

RolloutLoss::RolloutLoss(const NetworkShape& shape, const Eigen::MatrixXd& states, const NetworkRecurrence& recurrence,
                         double largest_state)
    : shape_(require_states(shape, states, recurrence)),
      states_(states),
      recurrence_(recurrence),
      largest_state_(largest_state),
      batch_(shape, int(states.cols()) - 1),
      repeated_(states),
      adjoint_(states.rows()),
      earlier_adjoint_(states.rows()) {}

double RolloutLoss::value(const Eigen::VectorXd& weights) {
  require_weights(shape_, weights);
  double sum = 0;
  for (int k = 0; k < batch_.samples(); ++k) {
    recurrence_.features(repeated_.col(k), batch_.inputs().col(k));
    evaluate(shape_, weights, batch_, k, 1);
    recurrence_.next(repeated_.col(k), batch_.outputs().col(k), repeated_.col(k + 1));
    if (!(repeated_.col(k + 1).lpNorm<Eigen::Infinity>() <= largest_state_)) return std::numeric_limits<double>::infinity();
    sum += (states_.col(k + 1) - repeated_.col(k + 1)).squaredNorm();
  }
  return sum;
}

// The adjoint of s_{k+1} is that of its own term and what the later states pull back; the gradient by the weights is then one
// product for each layer, over all transitions.
void RolloutLoss::gradient(const Eigen::VectorXd& weights, Eigen::VectorXd& gradient) {
  earlier_adjoint_.setZero();
  for (int k = batch_.samples() - 1; k >= 0; --k) {
    adjoint_ = earlier_adjoint_ + 2 * (repeated_.col(k + 1) - states_.col(k + 1));
    earlier_adjoint_.setZero();
    recurrence_.pull_next(repeated_.col(k), batch_.outputs().col(k), adjoint_, earlier_adjoint_,
                          batch_.output_adjoints().col(k));
    pull_back(shape_, weights, batch_, k, 1);
    recurrence_.pull_features(repeated_.col(k), batch_.input_adjoints().col(k), earlier_adjoint_);
  }
  find_gradient(shape_, batch_, gradient);
}

}  // namespace holo
