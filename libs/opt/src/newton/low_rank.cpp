#include "holo/opt/low_rank.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

namespace holo {
namespace {

// Directions of U whose part beyond the others has a square below this, relative, are combinations of these: eigenvalues of a
// Gram matrix are squares, and its rounding hides smaller ones.
constexpr double dependent_part = 1e-13;
// The smallest curvature, in multiples of that of K, that counts as positive definite.
constexpr double smallest_positive = 1e-10;

using SymmetricEigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

// An orthonormal basis Y of the span of L^-1 U, of as many vectors as U has independent columns: L^-1 U = Y R, U R^+ = L Y.
struct OrthonormalBasis {
  Eigen::MatrixXd R, inverse;  // R [vector][rank of U], R^+ [rank of U][vector]
};

// From G = (L^-1 U)^T L^-1 U = S^-1 Q D Q^T S^-1, R = D^(1/2) Q^T S^-1 and R^+ = S Q D^(-1/2) of the independent directions.
// Columns have different units: S scales each to length 1. One of length 0, such as a coupling that vanishes at rest, goes.
OrthonormalBasis orthonormal_basis(const Eigen::MatrixXd& gram) {
  const Eigen::Index rank = gram.cols();
  Eigen::VectorXd scale(rank);
  for (Eigen::Index k = 0; k < rank; ++k) scale[k] = gram(k, k) > 0 ? 1 / std::sqrt(gram(k, k)) : 0;
  const SymmetricEigenvalues metric(scale.asDiagonal() * (0.5 * (gram + gram.transpose())) * scale.asDiagonal());
  const double largest = metric.eigenvalues()[rank - 1];
  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < rank; ++k)
    if (largest > 0 && metric.eigenvalues()[k] > dependent_part * largest) kept.push_back(k);
  OrthonormalBasis basis{{Eigen::Index(kept.size()), rank}, {rank, Eigen::Index(kept.size())}};
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const double root = std::sqrt(metric.eigenvalues()[kept[i]]);
    for (Eigen::Index k = 0; k < rank; ++k) {
      const double q = metric.eigenvectors()(k, kept[i]);
      basis.R(Eigen::Index(i), k) = scale[k] > 0 ? root * q / scale[k] : 0;
      basis.inverse(k, Eigen::Index(i)) = scale[k] * q / root;
    }
  }
  return basis;
}

}  // namespace

bool LowRankCorrection::apply(const SparseSolver& factor, const LowRankMatrix& matrix, bool projected, Eigen::VectorXd& p) {
  const Eigen::MatrixXd& U = matrix.columns;
  solved_.resize(U.rows(), U.cols());
  factor.solve(U, solved_);
  const OrthonormalBasis basis = orthonormal_basis(U.transpose() * solved_);
  if (basis.R.rows() == 0) return true;
  const SymmetricEigenvalues change(basis.R * matrix.core * basis.R.transpose());
  Eigen::VectorXd factors(change.eigenvalues().size());
  for (Eigen::Index k = 0; k < factors.size(); ++k) {
    const double curvature = 1 + (projected ? std::max(change.eigenvalues()[k], 0.0) : change.eigenvalues()[k]);
    if (curvature < smallest_positive) return false;
    factors[k] = 1 / curvature - 1;
  }
  // p += L^-T Y V (Lambda^-1 - I) V^T Y^T L^T p
  const Eigen::MatrixXd directions = basis.inverse * change.eigenvectors();
  p += solved_ * (directions * factors.cwiseProduct(directions.transpose() * (U.transpose() * p)).eval());
  return true;
}

}  // namespace holo
