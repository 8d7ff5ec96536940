#pragma once
// The smallest singular value of rows against states, each row scaled to length 1, and its vectors: by inverse iteration
// with the Cholesky factors of J^T J, which costs a small part of a dense decomposition. J may have more rows than columns.

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace holo {

class SmallestSingularValue {
 public:
  // Of a pattern, the same at each call.
  explicit SmallestSingularValue(const Eigen::SparseMatrix<double>& pattern);

  // Of the pattern's values in their order, to `tolerance` of itself: iterates until the residual of its vectors is below that,
  // or rounding. Values below 1e-9 are not told apart. Not finite where a value is not.
  double find(const Eigen::Ref<const Eigen::VectorXd>& values, double tolerance);

  // Of the last call: lengths of the rows; the unit vectors J v = sigma u, J^T u = sigma v.
  const Eigen::VectorXd& lengths() const { return lengths_; }
  const Eigen::VectorXd& left() const { return left_; }
  const Eigen::VectorXd& right() const { return right_; }

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  void normalize(const Eigen::Ref<const Eigen::VectorXd>& values);

  Sparse jacobian_, normal_;
  Eigen::SimplicialLDLT<Sparse> factors_;
  Eigen::VectorXd lengths_, left_, right_;
  Eigen::MatrixXd block_, solution_, images_;
};

}  // namespace holo
