#include "mechanism/constraints/smallest_left_vectors.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "holo/core/error.h"

namespace holo {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& columns) {
  return Eigen::HouseholderQR<Eigen::MatrixXd>(columns).householderQ() *
         Eigen::MatrixXd::Identity(columns.rows(), columns.cols());
}

// Start vectors that are not orthogonal to a mechanism's singular vectors.
Eigen::MatrixXd start_block(Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd block(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j)
    for (Eigen::Index i = 0; i < rows; ++i) block(i, j) = std::sin((1.0 + double(j)) * (1.0 + double(i)));
  return orthonormal_basis(block);
}

class InverseIteration {
 public:
  explicit InverseIteration(const Sparse& matrix) : matrix_(matrix) {
    // M M^T, shifted by the error of its rounding so that it has factors: smaller eigenvalues are not told apart here, but by
    // the singular values of M^T on the block, which are not squared.
    constexpr double shift = 1e-15;
    const double largest = largest_singular_value_by_iteration(matrix);
    Sparse normal = matrix * matrix.transpose();
    for (Eigen::Index i = 0; i < normal.rows(); ++i) normal.coeffRef(i, i) += shift * (largest > 0 ? largest * largest : 1);
    factors_.compute(normal);
    if (factors_.info() != Eigen::Success)
      throw Error(Failure::internal, "the constraint equations' Jacobian has entries that are not finite");
  }

  // False where the space of the `count` smallest has not settled: values beyond the block are as small as its last.
  bool run(Eigen::Index count, Eigen::Index block_size, LeftSingularVectors& found) {
    constexpr int most_iterations = 60;
    constexpr double settled = 1e-11;
    Eigen::MatrixXd block = start_block(matrix_.rows(), block_size);
    for (int i = 0; i < most_iterations; ++i) {
      const Eigen::MatrixXd before = block.leftCols(count);
      block = orthonormal_basis(factors_.solve(block));
      // The singular values and vectors of M^T restricted to the block's space, the smallest first.
      const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::HouseholderQRPreconditioner> svd(image(block), Eigen::ComputeFullV);
      block = (block * svd.matrixV()).rowwise().reverse().eval();
      found.values = values_of(svd.singularValues(), block_size).head(count);
      found.vectors = block.leftCols(count);
      if (block_size == matrix_.rows()) return true;  // the whole space
      const double change = (found.vectors - before * (before.transpose() * found.vectors)).norm();
      if (i > 0 && change <= settled) return true;
    }
    return false;
  }

 private:
  Eigen::MatrixXd image(const Eigen::MatrixXd& block) const { return matrix_.transpose() * block; }

  // Ascending; missing ones are 0.
  static Eigen::VectorXd values_of(const Eigen::VectorXd& descending, Eigen::Index count) {
    Eigen::VectorXd values = Eigen::VectorXd::Zero(count);
    values.tail(descending.size()) = descending.reverse();
    return values;
  }

  const Sparse& matrix_;
  Eigen::SimplicialLDLT<Sparse> factors_;
};

}  // namespace

LeftSingularVectors smallest_left_vectors_by_iteration(const Sparse& matrix, Eigen::Index count) {
  constexpr Eigen::Index guards =
      3;  // the iteration converges by the ratio of the last wanted value to the first beyond the block
  InverseIteration iteration(matrix);
  LeftSingularVectors found;
  for (Eigen::Index size = count + guards;; size *= 2)
    if (size = std::min(size, matrix.rows()); iteration.run(count, size, found)) return found;
}

double largest_singular_value_by_iteration(const Sparse& matrix) {
  constexpr int most_iterations = 500;
  constexpr double accuracy = 1e-9;  // of the change by an iteration
  Eigen::VectorXd right = start_block(matrix.cols(), 1).col(0);
  double value = 0;
  for (int i = 0; i < most_iterations; ++i) {
    const double before = value;
    const Eigen::VectorXd left = matrix * right;
    value = left.norm();
    if (!(std::abs(value - before) > accuracy * value)) break;
    right = (matrix.transpose() * left).normalized();
  }
  return value;
}

}  // namespace holo
