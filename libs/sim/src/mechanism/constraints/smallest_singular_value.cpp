#include "smallest_singular_value.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

namespace holo {

namespace {

constexpr double floor_of_squares = 1e-18;  // added to J^T J, so that it has factors
constexpr double told_apart = 1e-9;         // the root of that
constexpr int most_iterations = 300;
constexpr double product_rounding = 1e-15;  // of a product with the rows, relative to them

// Directions that no mechanism has for its singular vectors.
void set_start(Eigen::MatrixXd& block) {
  for (Eigen::Index j = 0; j < block.cols(); ++j)
    for (Eigen::Index i = 0; i < block.rows(); ++i) block(i, j) = 1 + 0.5 * std::sin(1.0 + double(i + 1) * double(j + 1));
}

}  // namespace

SmallestSingularValue::SmallestSingularValue(const Sparse& pattern)
    : jacobian_(pattern),
      lengths_(pattern.rows()),
      left_(pattern.rows()),
      right_(pattern.cols()),
      block_(pattern.cols(), std::min<Eigen::Index>(3, pattern.cols())) {
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
  // Inverse iteration of several vectors at once: it converges by the ratio of the smallest value to the first that has no
  // vector, where one vector would need the two smallest to be far apart.
  set_start(block_);
  double value = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < most_iterations; ++i) {
    solution_ = factors_.solve(block_);
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(solution_);
    block_ = qr.householderQ() * Eigen::MatrixXd::Identity(block_.rows(), block_.cols());
    images_ = jacobian_ * block_;
    // The smallest that the vectors span.
    const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::HouseholderQRPreconditioner> svd(images_, Eigen::ComputeThinV);
    if (!svd.singularValues().allFinite()) return std::numeric_limits<double>::quiet_NaN();
    right_ = block_ * svd.matrixV().col(block_.cols() - 1);
    left_ = jacobian_ * right_;
    value = left_.norm();
    if (value > 0) left_ /= value;
    if (value < told_apart) break;  // its left vector is made of rounding
    // A singular value lies within the residual.
    const double residual = (jacobian_.transpose() * left_ - value * right_).norm();
    if (residual <= std::max(tolerance * value, product_rounding * std::sqrt(double(jacobian_.rows())))) break;
  }
  return value;
}

}  // namespace holo
