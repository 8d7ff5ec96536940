#include "holo/diff/tensor/polar_decomposition.h"

#include <Eigen/LU>

#include "holo/diff/tensor/signed_svd.h"
#include "tensor/checks.h"

namespace holo {
namespace {

using Matrix3d = Eigen::Matrix3d;
using Vector3d = Eigen::Vector3d;

Eigen::MatrixXd to_eigen(const Matrix3<double>& a) {
  Eigen::MatrixXd result(3, 3);
  for (int k = 0; k < 9; ++k) result(k / 3, k % 3) = a[k];
  return result;
}

// The vector w of a skew matrix K, such that K x = w x x (cross product) for every x.
Vector3d axial(const Matrix3d& K) { return {K(2, 1), K(0, 2), K(1, 0)}; }
// The skew matrix of a vector, the inverse of axial().
Matrix3d skew(const Vector3d& w) {
  Matrix3d result;
  result << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  return result;
}

// The derivative of the rotation divides by the sums of two stretches, which must not vanish.
void require_sums(const Vector3<double>& s) {
  for (int i = 0; i < 2; ++i)
    for (int j = i + 1; j < 3; ++j)
      if (!(std::abs(s[i] + s[j]) > 1e-14 * s[0]))
        throw TensorError(TensorError::Kind::singular, j,
                          "the polar decomposition is not differentiable here: the stretches " + detail::number_text(s[i]) +
                              " and " + detail::number_text(s[j]) + " have the sum 0");
}

}  // namespace

detail::RealPolar detail::real_polar(const Matrix3<double>& F, PolarVariant variant) {
  SignedSvd<double> svd = signed_svd(F);
  count_factorization();
  // The orthogonal variant has positive stretches, and R a reflection if det F < 0.
  if (variant == PolarVariant::orthogonal && svd.stretches[2] < 0) {
    svd.stretches[2] = -svd.stretches[2];
    for (int i = 0; i < 3; ++i) svd.U(i, 2) = -svd.U(i, 2);
  }
  const Vector3<double>& s = svd.stretches;
  require_sums(s);
  // The eigenvalues of tr(S) I - S are the sums of two stretches; its inverse solves for the rotation below.
  const Vector3<double> inverses{1 / (s[1] + s[2]), 1 / (s[0] + s[2]), 1 / (s[0] + s[1])};
  const Matrix3<double> Vt = transpose(svd.V);
  return {svd.U * Vt, svd.V * diagonal(s) * Vt, svd.V * diagonal(inverses) * Vt};
}

PolarDecomposition polar_decomposition(const MatrixSeries& F, PolarVariant variant) {
  if (F.rows() != 3 || F.columns() != 3)
    detail::throw_mismatch("a matrix for the polar decomposition", detail::shape_text(F.rows(), F.columns()), "3 x 3");
  const Matrix3d F0 = F[0];
  Matrix3<double> value{};
  for (int k = 0; k < 9; ++k) value[k] = F0(k / 3, k % 3);
  const detail::RealPolar real = detail::real_polar(value, variant);
  const Matrix3d R0 = to_eigen(real.R), S0 = to_eigen(real.S), inverse = to_eigen(real.inverse_of_sums);
  PolarDecomposition result{MatrixSeries(F.set(), 3, 3), MatrixSeries(F.set(), 3, 3)};
  result.R.set_coefficient(0, to_eigen(real.R));
  result.S.set_coefficient(0, to_eigen(real.S));
  // Order S of F = R S with R^T R = 1, S symmetric. With R_S = R_0 (skew(w) - Q/2), where Q collects the known terms of
  // (R^T R)_S = 0, the skew part of R_0^T F_S is a linear equation for w: (tr(S_0) I - S_0) w = axial(K).
  for (int index = 1; index < F.set().size(); ++index) {
    Matrix3d Q = Matrix3d::Zero(), rest = F[index];
    for (const auto& [first, second] : F.set().splits(index)) {
      Q += result.R[first].transpose() * result.R[second];
      rest -= result.R[first] * result.S[second];
    }
    const Matrix3d G = R0.transpose() * rest;
    const Matrix3d K = G - G.transpose() + 0.5 * (Q * S0 - S0 * Q);
    const Matrix3d W = skew(inverse * axial(K)) - 0.5 * Q;
    const Matrix3d R = R0 * W, S = G - W * S0;
    result.R.set_coefficient(index, R);
    result.S.set_coefficient(index, S);
  }
  return result;
}

}  // namespace holo
