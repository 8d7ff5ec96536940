#pragma once
// Eigenvalues of symmetric matrices of any size, for the expected values of tests. Eigen's solver would take most of the
// compilation of each file that instantiates it, so it stands in a library. Only the lower half of an argument is read.

#include <Eigen/Core>

namespace holo::test {

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);  // ascending

struct SymmetricEigen {
  Eigen::VectorXd values;   // ascending
  Eigen::MatrixXd vectors;  // a column for each value, orthonormal
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

// The matrix whose negative eigenvalues are set to zero.
Eigen::MatrixXd positive_part(const Eigen::MatrixXd& matrix);

}  // namespace holo::test
