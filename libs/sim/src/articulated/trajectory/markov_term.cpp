#include "holo/sim/articulated/trajectory/markov_term.h"

#include <fmt/format.h>

#include <cmath>

#include "holo/core/error.h"

namespace holo::articulated {

using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

const NetworkShape& require_fitting(const NetworkShape& shape, const PointRecurrence& recurrence, int points) {
  check_shape(shape);
  if (shape.inputs() != recurrence.feature_count() || shape.outputs() != recurrence.state_size() || points < 2)
    throw Error(Failure::internal,
                fmt::format("a Markovian regularization has {} points and a network of {} inputs and {} outputs; it needs two "
                            "points, {} inputs and {} outputs.",
                            points, shape.inputs(), shape.outputs(), recurrence.feature_count(), recurrence.state_size()));
  return shape;
}

}  // namespace

MarkovTerm::MarkovTerm(const PointRecurrence& recurrence, const NetworkShape& shape, int points, double weight)
    : recurrence_(recurrence),
      shape_(require_fitting(shape, recurrence, points)),
      weight_(weight),
      network_(VectorXd::Zero(shape.weight_count())),
      batch_(shape, points - 1),
      network_jacobian_(shape),
      residuals_(recurrence.state_size(), points - 1),
      normalization_(recurrence.normalization()),
      unit_(VectorXd::Zero(recurrence.state_size())),
      row_(recurrence.state_size()),
      output_adjoint_(recurrence.state_size()),
      feature_adjoint_(recurrence.feature_count()) {}

double MarkovTerm::value(const MatrixXd& points) {
  states_ = recurrence_.normalized(points);
  const Eigen::Index count = residuals_.cols();
  for (Eigen::Index z = 0; z < count; ++z) recurrence_.features(states_.col(z), batch_.inputs().col(z));
  evaluate(shape_, network_, batch_, 0, int(count));
  for (Eigen::Index z = 0; z < count; ++z) {
    recurrence_.next(states_.col(z), batch_.outputs().col(z), residuals_.col(z));
    residuals_.col(z) = states_.col(z + 1) - residuals_.col(z);
  }
  return weight_ * residuals_.squaredNorm();
}

// Row by row of the next state, as adjoints are pulled back; the derivative by the later point is that of its normalization.
void MarkovTerm::differentiate(int earlier, VectorXd& residual, MatrixXd& by_earlier, MatrixXd& by_later) {
  const double factor = std::sqrt(weight_);
  const MatrixXd& network = network_jacobian_.find(shape_, network_, batch_, earlier);
  const auto state = states_.col(earlier), output = batch_.outputs().col(earlier);
  residual = factor * residuals_.col(earlier);
  by_later.setZero();
  by_later.diagonal() = factor * normalization_;
  for (Eigen::Index i = 0; i < unit_.size(); ++i) {
    unit_[i] = -factor;
    row_.setZero();
    recurrence_.pull_next(state, output, unit_, row_, output_adjoint_);
    feature_adjoint_.noalias() = network.transpose() * output_adjoint_;
    recurrence_.pull_features(state, feature_adjoint_, row_);
    by_earlier.row(i) = row_.cwiseProduct(normalization_).transpose();
    unit_[i] = 0;
  }
}

}  // namespace holo::articulated
