#include "holo/diff/tensor/polar_decomposition.h"

#include <Eigen/LU>

#include "holo/diff/tensor/signed_svd.h"
#include "tensor/checks.h"

namespace holo {
namespace {

using Matrix3d = Eigen::Matrix3d;
using Vector3d = Eigen::Vector3d;

Matrix3d to_eigen(const Matrix3<double>& a) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(a.entries);
}

// The vector of the rotation part: [axial(K)]x = K for skew K.
Vector3d axial(const Matrix3d& K) { return {K(2, 1), K(0, 2), K(1, 0)}; }
Matrix3d skew(const Vector3d& w) {
  Matrix3d result;
  result << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  return result;
}

void require_sums(const Vector3<double>& s) {
  for (int i = 0; i < 2; ++i)
    for (int j = i + 1; j < 3; ++j)
      if (!(std::abs(s[i] + s[j]) > 1e-14 * s[0]))
        throw TensorError(TensorError::Kind::singular, j,
                          "the polar decomposition is not differentiable here: the stretches " + detail::number_text(s[i]) +
                              " and " + detail::number_text(s[j]) + " have the sum 0");
}

}  // namespace

PolarDecomposition polar_decomposition(const MatrixSeries& F, PolarVariant variant) {
  if (F.rows() != 3 || F.columns() != 3)
    detail::throw_mismatch("a matrix for the polar decomposition", detail::shape_text(F.rows(), F.columns()), "3 x 3");
  const Matrix3d F0 = F[0];
  Matrix3<double> value{};
  for (int k = 0; k < 9; ++k) value[k] = F0(k / 3, k % 3);
  SignedSvd<double> svd = signed_svd(value);
  detail::count_factorization();
  if (variant == PolarVariant::orthogonal && svd.stretches[2] < 0) {
    svd.stretches[2] = -svd.stretches[2];
    for (int i = 0; i < 3; ++i) svd.U(i, 2) = -svd.U(i, 2);
  }
  require_sums(svd.stretches);
  const Matrix3d R0 = to_eigen(svd.U * transpose(svd.V)), V = to_eigen(svd.V);
  const Vector3d s(svd.stretches[0], svd.stretches[1], svd.stretches[2]);
  const Matrix3d S0 = V * s.asDiagonal() * V.transpose();
  PolarDecomposition result{MatrixSeries(F.set(), 3, 3), MatrixSeries(F.set(), 3, 3)};
  result.R.set_coefficient(0, R0);
  result.S.set_coefficient(0, S0);
  // (tr(S) I - S)^-1, whose eigenvalues are the sums of two stretches
  const Vector3d sums(s[1] + s[2], s[0] + s[2], s[0] + s[1]);
  const Matrix3d inverse = V * sums.cwiseInverse().asDiagonal() * V.transpose();
  for (int index = 1; index < F.set().size(); ++index) {
    Matrix3d Q = Matrix3d::Zero(), rest = F[index];
    for (const auto& [first, second] : F.set().splits(index)) {
      Q += result.R[first].transpose() * result.R[second];
      rest -= result.R[first] * result.S[second];
    }
    const Matrix3d G = R0.transpose() * rest;
    const Matrix3d K = G - G.transpose() + 0.5 * (Q * S0 - S0 * Q);
    const Matrix3d W = skew(inverse * axial(K)) - 0.5 * Q;
    result.R.set_coefficient(index, R0 * W);
    result.S.set_coefficient(index, G - W * S0);
  }
  return result;
}

}  // namespace holo
