#include "algebra/symmetric.h"

#include <Eigen/Eigenvalues>

namespace holo::test {

using Solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix) {
  return Solver(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Solver solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::MatrixXd positive_part(const Eigen::MatrixXd& matrix) {
  const SymmetricEigen eigen = symmetric_eigen(matrix);
  return eigen.vectors * eigen.values.cwiseMax(0).asDiagonal() * eigen.vectors.transpose();
}

}  // namespace holo::test
