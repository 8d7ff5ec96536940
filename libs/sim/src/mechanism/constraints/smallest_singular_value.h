#pragma once
// The smallest singular value of rows against states, each row scaled to length 1, and its vectors: by inverse iteration
// with the Cholesky factors of J^T J, which costs a small part of a dense decomposition. J may have more rows than columns.

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace holo {

class SmallestSingularValue {
 public:
  // `pattern`: that of the matrices of all calls.
  explicit SmallestSingularValue(const Eigen::SparseMatrix<double>& pattern);

  // The smallest singular value of the matrix with these values, with the relative error `tolerance`: iterates until the
  // residual of its vectors is below that, or of the size of rounding. Values below 1e-9 are not resolved. NaN if a value is
  // not finite.
  double find(const Eigen::Ref<const Eigen::VectorXd>& values, double tolerance);

  // Results of the last call: the lengths of the rows of J, and the unit singular vectors u (left) and v (right) with
  // J v = sigma u, J^T u = sigma v.
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
