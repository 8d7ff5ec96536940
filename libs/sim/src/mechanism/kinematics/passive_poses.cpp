#include "passive_poses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "holo/core/error.h"

namespace holo {

PassivePoses::PassivePoses(std::shared_ptr<const MechanismLayout> layout, std::vector<NamedLoss> losses, const LossData& data,
                           const Eigen::VectorXd& parameters, const InverseKinematicsOptions& options)
    : layout_(std::move(layout)),
      equations_(layout_),
      losses_(layout_, std::move(losses)),
      data_(data),
      options_(options),
      parameters_(parameters),
      controls_(layout_->rest_controls()),
      entries_(losses_.hessian_entries()) {
  std::vector<int> hessian_values(entries_.size());
  for (std::size_t i = 0; i < hessian_values.size(); ++i) hessian_values[i] = int(i);
  losses_.set_hessian_values(std::move(hessian_values));
  values_.resize(equations_.patterns().states.nonZeros(), 1);
  control_values_.resize(equations_.patterns().controls.nonZeros(), 1);
  parameter_values_.resize(equations_.patterns().parameters.nonZeros(), 1);
  multipliers_ = Eigen::VectorXd::Zero(Eigen::Index(layout_->independent_equations().size()));
  is_passive_.assign(layout_->independent_equations().size(), false);
}

void PassivePoses::release(int equation) {
  is_passive_[std::size_t(equation)] = true;
  multipliers_[equation] = 0;
}

void PassivePoses::fix(int equation, int control, double value) {
  is_passive_[std::size_t(equation)] = false;
  controls_(control, 0) = value;
}

void PassivePoses::begin() {
  multipliers_.setZero();
  penalty_ = 1;
}

int PassivePoses::solve(int knot, const Eigen::VectorXd& prescribed, Eigen::VectorXd& state) {
  prescribed_ = prescribed;
  before_ = state;
  double damping = 0, merit = evaluate(knot, state);
  int small_gains = 0;
  for (int iteration = 1; iteration <= options_.max_iterations; ++iteration) {
    differentiate(knot, state);
    // A matrix without factors, or a step that is not finite, asks for more damping.
    if (!step(damping)) {
      damping = std::max(10 * damping, 1e-6);
      continue;
    }
    // The L1 merit function is exact once its weight exceeds every multiplier.
    penalty_ = std::max(penalty_, 2 * multipliers_.cwiseAbs().maxCoeff() + 1);
    merit = evaluate(knot, state);  // with this penalty
    // Halved steps, each returned to the constraints, until the merit function decreases but for rounding.
    double length = 1;
    Eigen::VectorXd trial;
    double next = std::numeric_limits<double>::infinity();
    for (; length > 1e-3 && !(next < merit + 1e-14 * (1 + std::abs(merit))); length /= 2) {
      trial = state + length * change_;
      return_to_equations(trial);
      next = evaluate(knot, trial);
    }
    const bool is_accepted = next < merit + 1e-14 * (1 + std::abs(merit));
    if (is_accepted) state = trial;
    // Levenberg's rule: damping falls after long steps and grows after short ones.
    damping = is_accepted && length > 0.4 ? damping / 10 : std::max(10 * damping, 1e-6);
    if (damping < 1e-9) damping = 0;
    small_gains = is_accepted && merit - next < options_.gain_tolerance * merit ? small_gains + 1 : 0;
    // It ends at a short step, or after three negligible gains, where the constraints hold.
    const bool is_last = change_.cwiseAbs().maxCoeff() < options_.step_tolerance || small_gains >= 3;
    if (is_last && residual_of(state) < 100 * options_.equation_tolerance) return iteration;
  }
  refuse(knot, state);
}

double PassivePoses::loss(int knot, const Eigen::VectorXd& state) {
  trajectory(knot).col(knot) = state;
  double value = 0;
  losses_.evaluate(observed(), data_, knot, knot + 1, &value);
  return value;
}

double PassivePoses::evaluate(int knot, const Eigen::VectorXd& state) {
  residual_of(state);
  return loss(knot, state) + 0.5 * options_.keep * (state - before_).squaredNorm() + penalty_ * residual_.cwiseAbs().sum();
}

double PassivePoses::residual_of(const Eigen::VectorXd& state) {
  residual_.resize(multipliers_.size(), 1);
  equations_.residual({state, controls_, parameters_, prescribed_}, residual_);
  for (std::size_t equation = 0; equation < is_passive_.size(); ++equation)
    if (is_passive_[equation]) residual_(Eigen::Index(equation), 0) = 0;
  return residual_.cwiseAbs().maxCoeff();
}

Eigen::MatrixXd& PassivePoses::trajectory(int knot) {
  if (states_.cols() <= knot) states_.resize(layout_->state_count(), std::max<Eigen::Index>(knot + 1, 2 * states_.cols()));
  return states_;
}

void PassivePoses::differentiate(int knot, const Eigen::VectorXd& state) {
  trajectory(knot).col(knot) = state;
  const int first = layout_->parameter_count() + 2 * layout_->control_count(), n = layout_->state_count();
  gradient_lanes_.assign(std::size_t(first + n) * lanes, 0.0);
  hessian_lanes_.assign(entries_.size() * lanes, 0.0);
  losses_.differentiate(observed(), data_, true, knot, knot + 1, gradient_lanes_.data(), hessian_lanes_.data());
  gradient_ = options_.keep * (state - before_);
  for (int i = 0; i < n; ++i) gradient_[i] += gradient_lanes_[std::size_t(first + i) * lanes];

  residual_of(state);
  equations_.jacobians({state, controls_, parameters_, prescribed_}, {values_, control_values_, parameter_values_});
  // The lower triangle of the saddle-point matrix: B, below it J, and -d I.
  triplets_.clear();
  for (int i = 0; i < n; ++i) triplets_.emplace_back(i, i, options_.keep);
  for (std::size_t i = 0; i < entries_.size(); ++i)
    triplets_.emplace_back(entries_[i].second - first, entries_[i].first - first, hessian_lanes_[i * lanes]);
  const Sparse& pattern = equations_.patterns().states;
  for (int column = 0, value = 0; column < n; ++column)
    for (Sparse::InnerIterator it(pattern, column); it; ++it, ++value)
      triplets_.emplace_back(n + int(it.row()), column, values_(value, 0));
  for (int equation = 0; equation < int(multipliers_.size()); ++equation)
    triplets_.emplace_back(n + equation, n + equation, is_passive_[std::size_t(equation)] ? -1e9 : -1e-9);
  matrix_.resize(n + multipliers_.size(), n + multipliers_.size());
  matrix_.setFromTriplets(triplets_.begin(), triplets_.end());
}

bool PassivePoses::step(double damping) {
  const Eigen::Index n = layout_->state_count();
  Sparse damped = matrix_;
  for (Eigen::Index i = 0; i < n; ++i) damped.coeffRef(i, i) += damping;
  if (!is_analyzed_) factors_.analyzePattern(damped);
  is_analyzed_ = true;
  factors_.factorize(damped);
  if (factors_.info() != Eigen::Success) return false;
  Eigen::VectorXd right(matrix_.rows());
  right.head(n) = -gradient_;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Sparse::InnerIterator it(matrix_, i); it; ++it)
      if (it.row() >= n) right[i] -= it.value() * multipliers_[it.row() - n];
  right.tail(multipliers_.size()) = -residual_.col(0);
  // One step of iterative refinement recovers what the tiny -d I costs in accuracy.
  Eigen::VectorXd solution = factors_.solve(right);
  solution += factors_.solve(Eigen::VectorXd(right - damped.selfadjointView<Eigen::Lower>() * solution));
  if (!solution.allFinite()) return false;
  change_ = solution.head(n);
  multipliers_ += solution.tail(multipliers_.size());
  return true;
}

void PassivePoses::return_to_equations(Eigen::VectorXd& state) {
  const Eigen::Index n = state.size();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(matrix_.rows());
  for (int i = 0; i < 3 && residual_of(state) > options_.equation_tolerance; ++i) {
    right.tail(multipliers_.size()) = -residual_.col(0);
    state += factors_.solve(right).head(n);
  }
}

void PassivePoses::refuse(int knot, const Eigen::VectorXd& state) {
  residual_of(state);
  Eigen::Index worst = 0;
  const double largest = residual_.col(0).cwiseAbs().maxCoeff(&worst);
  throw Error(Failure::input, "inverse kinematics does not converge at knot " + std::to_string(knot) + ": after " +
                                  std::to_string(options_.max_iterations) + " iterations the step is " +
                                  std::to_string(change_.cwiseAbs().maxCoeff()) + ", and the most violated equation '" +
                                  layout_->equation_name(layout_->independent_equations()[std::size_t(worst)]) +
                                  "' has the residual " + std::to_string(largest) +
                                  ". Bring the targets nearer to what the mechanism can reach, or begin from `controls`");
}

}  // namespace holo
