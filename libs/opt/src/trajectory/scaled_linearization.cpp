#include "trajectory/scaled_linearization.h"

#include <algorithm>
#include <cmath>

#include "holo/opt/trajectory/trust_region_sqp.h"

namespace holo {

namespace {

constexpr double least_row = 1e-12;  // over the largest: a row of A below it vanishes
constexpr double least_curvature = 1e-8, largest_metric_ratio = 1e4;
constexpr double shift_growth = 10, shift_decay = 3;
constexpr int most_raises = 8;
constexpr double largest_constraint_shift = 1e-4;
constexpr double projection_accuracy = 1e-12;
constexpr int most_corrections = 3;

}  // namespace

TrajectoryScales find_scales(const SaddlePointSystem& system, TrustRegionMetric metric) {
  TrajectoryScales scales;
  scales.constraints.resize(system.constraint_count());
  scales.metric.setOnes(system.unknown_count());
  system.jacobian_row_norms(scales.constraints);
  const double largest_row = scales.constraints.size() > 0 ? scales.constraints.maxCoeff() : 0;
  for (double& scale : scales.constraints) {
    if (!(scale > least_row * largest_row)) scale = largest_row;
    scale = scale > 0 ? 1 / scale : 1;
  }
  if (metric == TrustRegionMetric::hessian_diagonal) {
    system.hessian_diagonal(scales.metric);
    scales.metric = scales.metric.cwiseMax(least_curvature).cwiseSqrt();
    scales.metric = scales.metric.cwiseMax(scales.metric.maxCoeff() / largest_metric_ratio).eval();
  }
  return scales;
}

ScaledLinearization::ScaledLinearization(SaddlePointSystem& system, double unknown_shift, double constraint_shift)
    : system_(system), least_shift_(unknown_shift), least_constraint_shift_(constraint_shift), shift_(unknown_shift) {
  const int n = system.unknown_count(), m = system.constraint_count();
  constraint_shift_.setZero(m);
  multipliers_.setZero(m);
  product_.setZero(m);
  diagonal_.setZero(n);
  right_side_.setZero(n + m, 1);
  solution_.setZero(n + m, 1);
}

void ScaledLinearization::relax_shift() { shift_ = std::max(shift_ / shift_decay, least_shift_); }

void ScaledLinearization::multiply_jacobian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const {
  system_.multiply_jacobian(p, product);
  product.array() *= scales_.constraints.array();
}

void ScaledLinearization::multiply_jacobian_transposed(const Eigen::VectorXd& y, Eigen::VectorXd& product) const {
  multipliers_ = scales_.constraints.cwiseProduct(y);
  system_.multiply_jacobian_transposed(multipliers_, product);
}

double ScaledLinearization::norm(const Eigen::VectorXd& step) const {
  return std::sqrt((step.array().square() * scales_.metric.array()).sum());
}

// dw: the relative shift in the unit of H over W.
double ScaledLinearization::scaled_shift() {
  system_.hessian_diagonal(diagonal_);
  const double curvature = diagonal_.cwiseAbs().mean();
  return shift_ * (curvature > 0 ? curvature : 1) / scales_.metric.mean();
}

SaddlePointOutcome ScaledLinearization::factor(SaddlePointSelection selection) {
  raises_ = 0;
  double shift = least_constraint_shift_;
  SaddlePointOutcome outcome;
  if (selection ==
      SaddlePointSelection::both) {  // at the same time, where the system can; one by one where a shift has to grow
    constraint_shift_ = shift * scales_.constraints.cwiseAbs2().cwiseInverse();
    outcome = system_.factor(SaddlePointSelection::both, scales_.metric, scaled_shift(), constraint_shift_);
    factorizations_ += 2;
    if (outcome != SaddlePointOutcome::singular) return outcome;
  }
  for (;; shift *= shift_growth) {  // K2 has no other shift
    constraint_shift_ = shift * scales_.constraints.cwiseAbs2().cwiseInverse();
    outcome = system_.factor(SaddlePointSelection::metric, scales_.metric, 0, constraint_shift_);
    ++factorizations_;
    if (outcome != SaddlePointOutcome::singular || shift_growth * shift > largest_constraint_shift) break;
  }
  if (outcome != SaddlePointOutcome::factorized || selection == SaddlePointSelection::metric) return outcome;
  ++factorizations_;
  outcome = system_.factor(SaddlePointSelection::model, scales_.metric, scaled_shift(), constraint_shift_);
  if (outcome == SaddlePointOutcome::singular && raise_shift()) return SaddlePointOutcome::factorized;
  return outcome;
}

bool ScaledLinearization::raise_shift() {
  while (raises_ < most_raises) {
    ++raises_;
    ++factorizations_;
    shift_ *= shift_growth;
    const auto outcome = system_.factor(SaddlePointSelection::model, scales_.metric, scaled_shift(), constraint_shift_);
    if (outcome == SaddlePointOutcome::factorized) return true;
  }
  return false;
}

// solution_ = K^-1 right_side_. Of unscaled A and Dc / R^2 the multipliers are those of the scaled system times R.
bool ScaledLinearization::solve(SaddlePointMatrix matrix) {
  auto constraints = right_side_.col(0).tail(constraint_shift_.size());
  constraints.array() /= scales_.constraints.array();
  if (!system_.solve(matrix, right_side_, solution_)) return false;
  auto multipliers = solution_.col(0).tail(constraint_shift_.size());
  multipliers.array() /= scales_.constraints.array();
  return true;
}

// K2 gives A x = Dc y instead of 0. Each correction, the least-norm step of -A x, is a solution more and multiplies what is
// left of A x by Dc over the squared singular values of A.
bool ScaledLinearization::correct(Eigen::VectorXd& x, Eigen::VectorXd* y) {
  const Eigen::Index n = diagonal_.size(), m = constraint_shift_.size();
  for (int correction = 0; correction < most_corrections && m > 0; ++correction) {
    multiply_jacobian(x, product_);
    if (product_.norm() <= projection_accuracy * x.norm()) break;
    right_side_.col(0).head(n).setZero();
    right_side_.col(0).tail(m) = product_;
    if (!solve(SaddlePointMatrix::metric)) return false;
    x -= solution_.col(0).head(n);
    if (y != nullptr) *y -= solution_.col(0).tail(m);
  }
  return true;
}

bool ScaledLinearization::project(const Eigen::VectorXd& a, Eigen::VectorXd& x, Eigen::VectorXd& y) {
  const Eigen::Index n = diagonal_.size(), m = constraint_shift_.size();
  right_side_.col(0).head(n) = a;
  right_side_.col(0).tail(m).setZero();
  if (!solve(SaddlePointMatrix::metric)) return false;
  x = solution_.col(0).head(n);
  y = solution_.col(0).tail(m);
  return correct(x, &y);
}

bool ScaledLinearization::project_step(Eigen::VectorXd& x) { return correct(x, nullptr); }

bool ScaledLinearization::least_norm_step(const Eigen::VectorXd& c, Eigen::VectorXd& x) {
  const Eigen::Index n = diagonal_.size(), m = constraint_shift_.size();
  right_side_.col(0).head(n).setZero();
  right_side_.col(0).tail(m) = -c;
  if (!solve(SaddlePointMatrix::metric)) return false;
  x = solution_.col(0).head(n);
  return true;
}

bool ScaledLinearization::solve_model(const Eigen::VectorXd& a, Eigen::VectorXd& x) {
  right_side_.col(0).head(diagonal_.size()) = a;
  right_side_.col(0).tail(constraint_shift_.size()).setZero();
  if (!solve(SaddlePointMatrix::model)) return false;
  x = solution_.col(0).head(diagonal_.size());
  return true;
}

}  // namespace holo
