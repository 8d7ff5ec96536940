#include "smallest_singular_value.h"

#include <cmath>
#include <limits>

namespace holo {

namespace {

constexpr double floor_of_squares = 1e-18;  // added to J^T J, so that it has factors
constexpr int most_iterations = 300;

}  // namespace

SmallestSingularValue::SmallestSingularValue(const Sparse& pattern)
    : jacobian_(pattern), lengths_(pattern.rows()), left_(pattern.rows()), right_(pattern.cols()) {
  for (Eigen::Index i = 0; i < jacobian_.nonZeros(); ++i) jacobian_.valuePtr()[i] = 1;
  normal_ = Sparse(jacobian_.transpose()) * jacobian_;
  factors_.analyzePattern(normal_);
}

void SmallestSingularValue::normalize(const Eigen::Ref<const Eigen::VectorXd>& values) {
  lengths_.setZero();
  for (int column = 0, i = 0; column < jacobian_.cols(); ++column)
    for (Sparse::InnerIterator it(jacobian_, column); it; ++it, ++i) {
      it.valueRef() = values[i];
      lengths_[it.row()] += values[i] * values[i];
    }
  lengths_ = lengths_.cwiseSqrt();
  for (double& length : lengths_) length = length > 0 ? length : 1;  // a row of zeros stays one
  for (int column = 0; column < jacobian_.cols(); ++column)
    for (Sparse::InnerIterator it(jacobian_, column); it; ++it) it.valueRef() /= lengths_[it.row()];
}

double SmallestSingularValue::find(const Eigen::Ref<const Eigen::VectorXd>& values, double tolerance) {
  normalize(values);
  normal_ = Sparse(jacobian_.transpose()) * jacobian_;
  for (int i = 0; i < normal_.cols(); ++i) normal_.coeffRef(i, i) += floor_of_squares;
  factors_.factorize(normal_);
  if (factors_.info() != Eigen::Success) return std::numeric_limits<double>::quiet_NaN();
  for (Eigen::Index i = 0; i < right_.size(); ++i) right_[i] = 1 + 0.5 * std::sin(1.0 + double(i));
  right_.normalize();
  for (int i = 0; i < most_iterations; ++i) {
    before_ = right_;
    right_ = factors_.solve(before_).eval();
    right_.normalize();
    if (!((right_ - before_).norm() > tolerance)) break;  // not a number ends it, too
  }
  left_ = jacobian_ * right_;
  const double value = left_.norm();
  if (value > 0) left_ /= value;
  return value;
}

}  // namespace holo
