#include "holo/diff/tape/cholesky_nodes.h"

#include "holo/diff/tape/spectral_nodes.h"
#include "tensor/dense_factorizations.h"

namespace holo::detail {

using Eigen::MatrixXd;
using Plane = Eigen::Map<MatrixXd>;

CholeskyFactor::CholeskyFactor(const double* A, int n)
    : L_(DenseLlt(symmetric_value(A, n, "a matrix for LLT")).factors().matrixL()) {}

void CholeskyFactor::solve(const Eigen::Ref<const MatrixXd>& b, Eigen::Ref<MatrixXd> x) const {
  x = L_.triangularView<Eigen::Lower>().solve(b);
}
void CholeskyFactor::solve_transposed(const Eigen::Ref<const MatrixXd>& b, Eigen::Ref<MatrixXd> x) const {
  x = L_.transpose().triangularView<Eigen::Upper>().solve(b);
}

// One step of the derivative of a Cholesky factor: L' = L Phi(L^-1 A' L^-T), where Phi is the lower triangle with half of the
// diagonal. `rest` is the residual A_S - (L L^T)_S.
double CholeskyFactor::correct(const double* rest, double* L_S) const {
  const Eigen::Index n = size();
  const Eigen::Map<const MatrixXd> R(rest, n, n);
  const auto L = L_.triangularView<Eigen::Lower>();
  const MatrixXd left = L.solve(0.5 * (R + R.transpose()));
  MatrixXd W = L.solve(left.transpose());
  lower_with_half_diagonal(W.data(), int(n));
  const MatrixXd correction = L * W;
  Plane(L_S, n, n) += correction;
  return correction.cwiseAbs().maxCoeff();
}

void lower_with_half_diagonal(double* plane, int n) {
  Plane x(plane, n, n);
  x.triangularView<Eigen::StrictlyUpper>().setZero();
  x.diagonal() *= 0.5;
}
void transpose_in_place(double* plane, int n) { Plane(plane, n, n).transposeInPlace(); }
void symmetrize(double* plane, int n) {
  Plane x(plane, n, n);
  x = (0.5 * (x + x.transpose())).eval();
}

}  // namespace holo::detail
