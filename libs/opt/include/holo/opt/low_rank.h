#pragma once
// A symmetric matrix U C U^T of few columns beside a sparse one, as energies have that depend on a few sums over all unknowns,
// and Newton directions with both.

#include <Eigen/Core>

#include "holo/core/numerics/sparse_solver.h"

namespace holo {

struct LowRankMatrix {
  Eigen::MatrixXd columns;  // U [dimension][rank]
  Eigen::MatrixXd core;     // C [rank][rank], symmetric; it need not be definite

  bool is_finite() const { return columns.allFinite() && core.allFinite(); }
};

// The direction -(K + U C U^T)^-1 g from p = -K^-1 g, where `factor` has K = L L^T, by Woodbury's formula in the metric of K:
// with an orthonormal basis Y of L^-1 U, H = L (I + Y M Y^T) L^T for a small matrix M. Its eigenvalues are those by which the
// matrix of low rank changes the curvature of K, in multiples of it.
class LowRankCorrection {
 public:
  // Corrects p. With `projected`, negative eigenvalues of M count as 0, so that a direction of descent stays one; otherwise
  // returns false, and leaves p, unless K + U C U^T is positive definite.
  bool apply(const SparseSolver& factor, const LowRankMatrix& matrix, bool projected, Eigen::VectorXd& p);

 private:
  Eigen::MatrixXd solved_;  // K^-1 U
};

}  // namespace holo
