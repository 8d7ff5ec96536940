#include "holo/opt/low_rank.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <vector>

namespace holo {
namespace {

// Directions of U whose part beyond the others is smaller than this, relative, are combinations of these.
constexpr double dependent = 1e-13;
// The smallest curvature, in multiples of that of K, that counts as positive definite.
constexpr double least_curvature = 1e-10;

using Solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

}  // namespace

bool LowRankCorrection::apply(const SparseSolver& factor, const LowRankMatrix& matrix, bool projected, Eigen::VectorXd& p) {
  const Eigen::MatrixXd& U = matrix.columns;
  solved_.resize(U.rows(), U.cols());
  factor.solve(U, solved_);
  const Eigen::MatrixXd gram = U.transpose() * solved_;  // (L^-1 U)^T L^-1 U
  // Columns have different units: each is scaled to length 1. One of length 0, such as a coupling that vanishes at rest, goes.
  Eigen::VectorXd scale(U.cols());
  for (Eigen::Index k = 0; k < U.cols(); ++k) scale[k] = gram(k, k) > 0 ? 1 / std::sqrt(gram(k, k)) : 0;
  const Solver metric(scale.asDiagonal() * (0.5 * (gram + gram.transpose())) * scale.asDiagonal());
  // L^-1 U = Y R with R = D^(1/2) Q^T S^-1, and U R^+ = L Y with R^+ = S Q D^(-1/2), of the independent directions.
  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < U.cols(); ++k)
    if (metric.eigenvalues()[k] > dependent * metric.eigenvalues()[U.cols() - 1]) kept.push_back(k);
  if (kept.empty() || metric.eigenvalues()[U.cols() - 1] <= 0) return true;
  Eigen::MatrixXd R(kept.size(), U.cols()), inverse(U.cols(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const double root = std::sqrt(metric.eigenvalues()[kept[i]]);
    for (Eigen::Index k = 0; k < U.cols(); ++k) {
      const double q = metric.eigenvectors()(k, kept[i]);
      R(Eigen::Index(i), k) = scale[k] > 0 ? root * q / scale[k] : 0;
      inverse(k, Eigen::Index(i)) = scale[k] * q / root;
    }
  }
  const Solver change(R * matrix.core * R.transpose());
  Eigen::VectorXd factors(change.eigenvalues().size());
  for (Eigen::Index k = 0; k < factors.size(); ++k) {
    const double curvature = 1 + (projected ? std::max(change.eigenvalues()[k], 0.0) : change.eigenvalues()[k]);
    if (curvature < least_curvature) return false;
    factors[k] = 1 / curvature - 1;
  }
  // p += L^-T Y V (Lambda^-1 - I) V^T Y^T L^T p
  const Eigen::MatrixXd basis = inverse * change.eigenvectors();
  p += solved_ * (basis * factors.cwiseProduct(basis.transpose() * (U.transpose() * p)).eval());
  return true;
}

}  // namespace holo
