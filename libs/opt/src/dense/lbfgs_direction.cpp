#include "dense/lbfgs_direction.h"

#include <algorithm>
#include <cmath>

namespace holo {

namespace {

double free_dot(const std::vector<int>& free, const Eigen::Ref<const Eigen::VectorXd>& a,
                const Eigen::Ref<const Eigen::VectorXd>& b) {
  double sum = 0;
  for (int i : free) sum += a[i] * b[i];
  return sum;
}

}  // namespace

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
