#include "holo/diff/tensor/triangular_decompositions.h"

#include <limits>

#include "tensor/checks.h"
#include "tensor/dense_factorizations.h"

namespace holo {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

MatrixXd strictly_lower(const MatrixXd& W) { return W.triangularView<Eigen::StrictlyLower>(); }

// L_0^-1 R L_0^-T
template <unsigned mode>
MatrixXd between(const MatrixXd& L0, const MatrixXd& R) {
  const MatrixXd left = L0.triangularView<mode>().solve(R);
  return L0.triangularView<mode>().solve(left.transpose()).transpose();
}

// The known terms of order S of A = L D L^T: A_S - sum L_T D_U L_V^T over triples without the part S; D is diagonal.
MatrixXd ldlt_rest(const MatrixSeries& A, const MatrixSeries& L, const MatrixSeries& D, int index) {
  MatrixXd rest = A[index];
  for (const auto& [first, second, third] : A.set().triple_splits(index))
    if (!L.is_zero(first) && !D.is_zero(second) && !L.is_zero(third))
      rest.noalias() -= L.stored(first) * D.stored(second).col(0).asDiagonal() * L.stored(third).transpose();
  return rest;
}

}  // namespace

// Order S of A = L L^T: R = A_S - sum L_T L_{S\T}^T over proper parts, then L_S = L_0 Phi(L_0^-1 R L_0^-T), where Phi is the
// lower triangle with half of the diagonal: Phi(W) + Phi(W)^T = W for symmetric W.
MatrixSeries llt_decomposition(const MatrixSeries& A) {
  detail::require_symmetric(A, "a matrix for LLT");
  const detail::DenseLlt value(A[0]);
  const MatrixXd L0 = value.factors().matrixL();
  MatrixSeries L(A.set(), A.rows(), A.rows());
  L.set_coefficient(0, L0);
  for (int index = 1; index < A.set().size(); ++index) {
    MatrixXd rest = A[index];
    for (const auto& [first, second] : A.set().splits(index)) rest.noalias() -= L.stored(first) * L.stored(second).transpose();
    const MatrixXd W = between<Eigen::Lower>(L0, rest);
    MatrixXd phi = strictly_lower(W);
    phi.diagonal() = 0.5 * W.diagonal();
    L.set_coefficient(index, L0.triangularView<Eigen::Lower>() * phi);
  }
  return L;
}

// Order S of P A P^T = L D L^T: W = L_0^-1 R L_0^-T has D_S on its diagonal, and L_0^-1 L_S D_0 strictly below. The permutation
// is that of the value and does not change.
LdltDecomposition ldlt_decomposition(const MatrixSeries& A) {
  detail::require_symmetric(A, "a matrix for LDLT");
  const Index n = A.rows();
  const MatrixXd value = A[0];
  const Eigen::LDLT<MatrixXd> factors(value);
  detail::count_factorization();
  const Eigen::PermutationMatrix<Eigen::Dynamic> P(factors.transpositionsP());
  const Eigen::VectorXd D0 = factors.vectorD();
  const Eigen::PermutationMatrix<Eigen::Dynamic> back(P.inverse());
  for (Index k = 0; k < n; ++k) {
    const Index row = back.indices()[k];
    if (std::abs(D0[k]) <= double(n) * epsilon * value.col(row).cwiseAbs().maxCoeff())
      throw TensorError(TensorError::Kind::singular, row,
                        "LDLT of a matrix of " + detail::shape_text(n, n) + ": the pivot of row " + std::to_string(row) +
                            " (counted from 0) is " + detail::number_text(D0[k]) + "; use LU if the matrix is right as it is");
  }
  LdltDecomposition result{P, MatrixSeries(A.set(), n, n), MatrixSeries(A.set(), n, 1)};
  MatrixSeries permuted(A.set(), n, n);
  for (int index = 0; index < A.set().size(); ++index)
    if (!A.is_zero(index)) permuted.set_coefficient(index, P * A[index] * P.transpose());
  const MatrixXd L0 = factors.matrixL();
  result.L.set_coefficient(0, L0);
  result.D.set_coefficient(0, D0);
  for (int index = 1; index < A.set().size(); ++index) {
    const MatrixXd W = between<Eigen::UnitLower>(L0, ldlt_rest(permuted, result.L, result.D, index));
    const MatrixXd lower = strictly_lower(W) * D0.cwiseInverse().asDiagonal();
    result.D.set_coefficient(index, W.diagonal());
    result.L.set_coefficient(index, L0.triangularView<Eigen::UnitLower>() * lower);
  }
  return result;
}

// Order S of P A = L U: W = L_0^-1 R U_0^-1 = L_0^-1 L_S + U_S U_0^-1, of which the first term is strictly lower triangular and
// the second upper triangular.
LuDecomposition lu_decomposition(const MatrixSeries& A) {
  detail::require_square(A.rows(), A.columns(), "a matrix for LU");
  const Index n = A.rows();
  const detail::DenseLu value(A[0]);
  const MatrixXd& factors = value.factors().matrixLU();
  LuDecomposition result{value.factors().permutationP(), MatrixSeries(A.set(), n, n), MatrixSeries(A.set(), n, n)};
  MatrixXd L0 = MatrixXd::Identity(n, n);
  L0.triangularView<Eigen::StrictlyLower>() = factors;
  const MatrixXd U0 = factors.triangularView<Eigen::Upper>();
  result.L.set_coefficient(0, L0);
  result.U.set_coefficient(0, U0);
  for (int index = 1; index < A.set().size(); ++index) {
    MatrixXd rest = result.P * A[index];
    for (const auto& [first, second] : A.set().splits(index))
      rest.noalias() -= result.L.stored(first) * result.U.stored(second);
    const MatrixXd left = L0.triangularView<Eigen::UnitLower>().solve(rest);
    const MatrixXd W = U0.triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(left);
    const MatrixXd upper = W.triangularView<Eigen::Upper>();
    result.L.set_coefficient(index, L0.triangularView<Eigen::UnitLower>() * strictly_lower(W));
    result.U.set_coefficient(index, upper * U0);
  }
  return result;
}

}  // namespace holo
