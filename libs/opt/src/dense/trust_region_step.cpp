#include "dense/trust_region_step.h"

#include <algorithm>
#include <cmath>

namespace holo {

namespace {

constexpr double least_relative_curvature =
    1e-8;                               // over the largest: smaller eigenvalues are rounding, and would give endless steps
constexpr double ball_accuracy = 1e-6;  // of the radius
constexpr int most_ball_iterations = 100;

}  // namespace

void TrustRegionStep::resize(int dimension) {
  moving_.reserve(std::size_t(dimension));
  block_.resize(dimension, dimension);
  for (Eigen::VectorXd* vector : {&reduced_, &curvature_, &components_, &offset_}) vector->resize(dimension);
}

bool TrustRegionStep::find(const Eigen::MatrixXd& hessian, const Eigen::VectorXd& gradient, const DenseBox& box,
                           const Eigen::VectorXd& x, const std::vector<int>& free, double radius, Eigen::VectorXd& step) {
  shift_ = 0;
  moving_ = free;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    step[i] = std::clamp(gradient[i] > 0 ? box.lower[i] - x[i] : box.upper[i] - x[i], -radius, radius);
  for (int i : moving_) step[i] = 0;
  for (bool is_first = true; !moving_.empty(); is_first = false) {
    if (!decompose(hessian, gradient, step)) return false;
    const double raised = minimize_in_ball(radius);
    if (is_first) shift_ = raised;
    if (!stop_at_bounds(box, x, step)) break;
  }
  return true;
}

// Eigenvalues of the moving unknowns' block, and along its eigenvectors the gradient at the step of the others.
bool TrustRegionStep::decompose(const Eigen::MatrixXd& hessian, const Eigen::VectorXd& gradient, const Eigen::VectorXd& step) {
  const auto count = Eigen::Index(moving_.size());
  offset_ = gradient;
  offset_.noalias() += hessian * step;
  for (Eigen::Index j = 0; j < count; ++j) {
    reduced_[j] = offset_[moving_[std::size_t(j)]];
    for (Eigen::Index i = 0; i < count; ++i) block_(i, j) = hessian(moving_[std::size_t(i)], moving_[std::size_t(j)]);
  }
  eigen_.compute(block_.topLeftCorner(count, count));
  if (eigen_.info() != Eigen::Success) return false;
  components_.head(count).noalias() = eigen_.eigenvectors().transpose() * reduced_.head(count);
  const double largest = eigen_.eigenvalues().lpNorm<Eigen::Infinity>();
  const double least = largest > 0 ? least_relative_curvature * largest : 1;
  curvature_.head(count) = eigen_.eigenvalues().cwiseAbs().cwiseMax(least);
  return true;
}

// The step along the eigenvectors. 1/|s(sigma)| is concave and almost straight: Newton's method from sigma = 0 comes to its
// root from one side [Nocedal2006, algorithm 4.3]. By how much the smallest eigenvalue was raised.
double TrustRegionStep::minimize_in_ball(double radius) {
  const auto count = Eigen::Index(moving_.size());
  const auto gradient = components_.head(count), curvature = curvature_.head(count);
  auto step = reduced_.head(count);
  double sigma = 0;
  for (int iteration = 0; iteration < most_ball_iterations; ++iteration) {
    step = -gradient.cwiseQuotient((curvature.array() + sigma).matrix());
    const double length = step.norm();
    if (length <= (1 + ball_accuracy) * radius) break;
    const double change = step.cwiseAbs2().cwiseQuotient((curvature.array() + sigma).matrix()).sum();
    sigma += length * length / change * (length / radius - 1);
  }
  return curvature[0] + sigma - eigen_.eigenvalues()[0];
}

// Writes the moving unknowns' step. True where some stop at a bound, which leave the moving ones.
bool TrustRegionStep::stop_at_bounds(const DenseBox& box, const Eigen::VectorXd& x, Eigen::VectorXd& step) {
  const auto count = Eigen::Index(moving_.size());
  components_.head(count).noalias() = eigen_.eigenvectors() * reduced_.head(count);
  for (Eigen::Index j = 0; j < count; ++j) step[moving_[std::size_t(j)]] = components_[j];
  const auto inside = std::remove_if(moving_.begin(), moving_.end(), [&](int i) {
    const double end = std::clamp(x[i] + step[i], box.lower[i], box.upper[i]);
    const bool stops = end != x[i] + step[i];
    if (stops) step[i] = end - x[i];
    return stops;
  });
  const bool any = inside != moving_.end();
  moving_.erase(inside, moving_.end());
  if (any)
    for (int i : moving_) step[i] = 0;
  return any;
}

}  // namespace holo
