#include "dense/lbfgs_direction.h"

#include <algorithm>
#include <cmath>

namespace holo {

namespace {

using LbfgsVector = Eigen::Ref<const Eigen::VectorXd>;

// Products and sums in some unknowns, one after the other.
struct FreeUnknowns {
  const std::vector<int>& free;

  double dot(const LbfgsVector& a, const LbfgsVector& b) const {
    double sum = 0;
    for (int i : free) sum += a[i] * b[i];
    return sum;
  }
  void add(double factor, const LbfgsVector& a, Eigen::VectorXd& to) const {
    for (int i : free) to[i] += factor * a[i];
  }
};

struct AllUnknowns {
  double dot(const LbfgsVector& a, const LbfgsVector& b) const { return a.dot(b); }
  void add(double factor, const LbfgsVector& a, Eigen::VectorXd& to) const { to += factor * a; }
};

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
  direction.setZero();
  for (int i : free) direction[i] = -gradient[i];
  find_in(FreeUnknowns{free}, direction);
}

void LbfgsDirection::find(const Eigen::VectorXd& gradient, Eigen::VectorXd& direction) {
  direction = -gradient;
  find_in(AllUnknowns{}, direction);
}

// `direction` is the descent of the gradient on entry.
template <class Unknowns>
void LbfgsDirection::find_in(const Unknowns& unknowns, Eigen::VectorXd& direction) {
  constexpr double least_curvature = 1e-10;
  const int places = int(steps_.cols());
  double scale = 0;
  for (int back = 0; back < count_; ++back) {
    const int k = (newest_ - back + places) % places;
    const double curvature = unknowns.dot(steps_.col(k), changes_.col(k)),
                 change = unknowns.dot(changes_.col(k), changes_.col(k)), step = unknowns.dot(steps_.col(k), steps_.col(k));
    inverse_product_[k] = curvature > least_curvature * std::sqrt(change * step) ? 1 / curvature : 0;
    if (inverse_product_[k] == 0) continue;
    if (scale == 0) scale = curvature / change;
    alpha_[k] = inverse_product_[k] * unknowns.dot(steps_.col(k), direction);
    unknowns.add(-alpha_[k], changes_.col(k), direction);
  }
  if (scale > 0) direction *= scale;
  for (int back = count_ - 1; back >= 0; --back) {
    const int k = (newest_ - back + places) % places;
    if (inverse_product_[k] == 0) continue;
    const double beta = inverse_product_[k] * unknowns.dot(changes_.col(k), direction);
    unknowns.add(alpha_[k] - beta, steps_.col(k), direction);
  }
}

void LbfgsDirection::store(Eigen::MatrixXd& steps, Eigen::MatrixXd& gradient_changes) const {
  const int places = int(steps_.cols());
  steps.resize(steps_.rows(), count_);
  gradient_changes.resize(steps_.rows(), count_);
  for (int i = 0; i < count_; ++i) {
    const int k = (newest_ - (count_ - 1 - i) + places) % places;
    steps.col(i) = steps_.col(k);
    gradient_changes.col(i) = changes_.col(k);
  }
}

void LbfgsDirection::load(const Eigen::MatrixXd& steps, const Eigen::MatrixXd& gradient_changes) {
  clear();
  for (Eigen::Index i = 0; i < steps.cols(); ++i) add(steps.col(i), gradient_changes.col(i));
}

}  // namespace holo
