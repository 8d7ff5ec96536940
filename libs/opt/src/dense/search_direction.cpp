#include "dense/search_direction.h"

#include <algorithm>
#include <cmath>

namespace holo {

namespace {

constexpr double shift_over_curvature = 2;  // the first shift over the size of the smallest eigenvalue
// Relative to the largest diagonal entry: the least shift, and from where on none is enough.
constexpr double first_newton_shift = 1e-8, last_newton_shift = 1e8, newton_shift_growth = 10;

double free_dot(const std::vector<int>& free, const Eigen::Ref<const Eigen::VectorXd>& a,
                const Eigen::Ref<const Eigen::VectorXd>& b) {
  double sum = 0;
  for (int i : free) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void ShiftedNewtonDirection::resize(int dimension) {
  hessian_.resize(dimension, dimension);
  factor_.resize(dimension, dimension);
  reduced_.resize(dimension);
}

bool ShiftedNewtonDirection::find(const std::vector<int>& free, const Eigen::VectorXd& gradient, Eigen::VectorXd& direction,
                                  double& shift) {
  const int count = int(free.size());
  if (count == 0) {  // every unknown rests at a bound
    direction.setZero();
    shift = 0;
    return true;
  }
  double scale = 0;
  for (int i : free) scale = std::max(scale, std::abs(hessian_(i, i)));
  if (!(scale > 0)) scale = 1;
  shift = 0;
  while (shift <= last_newton_shift * scale) {
    copy_free(free, shift);
    auto factor = factor_.topLeftCorner(count, count);
    Eigen::Ref<Eigen::MatrixXd> in_place(factor);
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> llt(in_place);
    if (llt.info() == Eigen::Success && factor.diagonal().minCoeff() > 1e-8 * factor.diagonal().maxCoeff()) {
      auto reduced = reduced_.head(count);
      for (int i = 0; i < count; ++i) reduced[i] = -gradient[free[std::size_t(i)]];
      llt.solveInPlace(reduced);
      direction.setZero();
      for (int i = 0; i < count; ++i) direction[free[std::size_t(i)]] = reduced[i];
      return true;
    }
    // A matrix that is singular up to rounding needs more than its eigenvalue says.
    shift = shift == 0 ? std::max(shift_over_curvature * std::abs(smallest_eigenvalue(free)), first_newton_shift * scale)
                       : shift * newton_shift_growth;
  }
  return false;
}

// The lower triangle of the free unknowns' block of the Hessian, shifted, into `factor_`.
void ShiftedNewtonDirection::copy_free(const std::vector<int>& free, double shift) {
  const int count = int(free.size());
  for (int j = 0; j < count; ++j) {
    for (int i = j; i < count; ++i) factor_(i, j) = hessian_(free[std::size_t(i)], free[std::size_t(j)]);
    factor_(j, j) += shift;
  }
}

double ShiftedNewtonDirection::smallest_eigenvalue(const std::vector<int>& free) {
  const auto count = Eigen::Index(free.size());
  copy_free(free, 0);
  eigen_.compute(factor_.topLeftCorner(count, count), Eigen::EigenvaluesOnly);
  return eigen_.eigenvalues()[0];
}

void LbfgsDirection::resize(int dimension, int history) {
  steps_.resize(dimension, history);
  changes_.resize(dimension, history);
  alpha_.resize(history);
  inverse_product_.resize(history);
  count_ = 0;
  newest_ = -1;
}

void LbfgsDirection::add(const Eigen::VectorXd& step, const Eigen::VectorXd& gradient_change) {
  const int places = int(steps_.cols());
  newest_ = (newest_ + 1) % places;
  count_ = std::min(count_ + 1, places);
  steps_.col(newest_) = step;
  changes_.col(newest_) = gradient_change;
}

void LbfgsDirection::find(const std::vector<int>& free, const Eigen::VectorXd& gradient, Eigen::VectorXd& direction) {
  // The two-loop recursion of L-BFGS, restricted to the free unknowns. A pair serves where its curvature in the free unknowns
  // is positive.
  constexpr double least_curvature = 1e-10;
  const int places = int(steps_.cols());
  direction.setZero();
  for (int i : free) direction[i] = -gradient[i];
  double scale = 0;
  for (int back = 0; back < count_; ++back) {
    const int k = (newest_ - back + places) % places;
    const double curvature = free_dot(free, steps_.col(k), changes_.col(k)),
                 change = free_dot(free, changes_.col(k), changes_.col(k)), step = free_dot(free, steps_.col(k), steps_.col(k));
    inverse_product_[k] = curvature > least_curvature * std::sqrt(change * step) ? 1 / curvature : 0;
    if (inverse_product_[k] == 0) continue;
    if (scale == 0) scale = curvature / change;
    alpha_[k] = inverse_product_[k] * free_dot(free, steps_.col(k), direction);
    for (int i : free) direction[i] -= alpha_[k] * changes_(i, k);
  }
  if (scale > 0) direction *= scale;
  for (int back = count_ - 1; back >= 0; --back) {
    const int k = (newest_ - back + places) % places;
    if (inverse_product_[k] == 0) continue;
    const double beta = inverse_product_[k] * free_dot(free, changes_.col(k), direction);
    for (int i : free) direction[i] += (alpha_[k] - beta) * steps_(i, k);
  }
}

}  // namespace holo
