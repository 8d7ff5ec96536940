#include "contact/pairs/pair_projection.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace holo::pairs {
namespace {

// An orthonormal basis of weights of four nodes with the sum 0.
Eigen::Matrix<double, 4, 3> weights_basis() {
  Eigen::Matrix<double, 4, 3> basis;
  basis << 0.5, 0.5, 0.5, 0.5, -0.5, -0.5, -0.5, 0.5, -0.5, -0.5, -0.5, 0.5;
  return basis;
}

// w (x) v: the vector v at each node, times its weight.
PairVector spread(const Eigen::Vector4d& w, const Eigen::Vector3d& v) {
  PairVector result;
  for (int node = 0; node < 4; ++node) result.segment<3>(3 * node) = w[node] * v;
  return result;
}

// A without its negative part, where the range of A is that of the orthonormal columns of the basis and `reduced` is
// basis^T A basis.
template <int n>
PairMatrix without_negative_part(const PairMatrix& A, const Eigen::Matrix<double, 12, n>& basis,
                                 const Eigen::Matrix<double, n, n>& reduced) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, n, n>> solver(reduced);
  PairMatrix result = A;
  for (int k = 0; k < n && solver.eigenvalues()[k] < 0; ++k) {  // ascending
    const PairVector v = basis * solver.eigenvectors().col(k);
    result -= (solver.eigenvalues()[k] * v) * v.transpose();
  }
  return 0.5 * (result + result.transpose());
}

// The directions in which a function of the distance has second derivatives.
Eigen::Matrix<double, 12, 5> basis_of_frame(const PairFrame& frame) {
  const Eigen::Matrix<double, 4, 3> weights = weights_basis();
  const Eigen::Vector3d along = (weights.transpose() * frame.weights).normalized(), across = along.unitOrthogonal();
  const Eigen::Vector4d g = weights * along;
  Eigen::Matrix<double, 12, 5> basis;
  basis << spread(g, frame.normal), spread(weights * across, frame.normal), spread(weights * along.cross(across), frame.normal),
      spread(g, frame.tangents.col(0)), spread(g, frame.tangents.col(1));
  return basis;
}

}  // namespace

PairMatrix positive_part(const PairMatrix& hessian) {
  const Eigen::Matrix<double, 4, 3> weights = weights_basis();
  Eigen::Matrix<double, 12, 9> basis;
  for (int w = 0; w < 3; ++w)
    for (int i = 0; i < 3; ++i) basis.col(3 * w + i) = spread(weights.col(w), Eigen::Vector3d::Unit(i));
  const Eigen::Matrix<double, 12, 9> image = hessian.lazyProduct(basis);
  return without_negative_part<9>(hessian, basis, basis.transpose().lazyProduct(image));
}

PairMatrix positive_part_by_frame(const PairMatrix& hessian, const ClosestFeatures& features, const PairVector& x) {
  const Eigen::Matrix<double, 12, 5> basis = basis_of_frame(pair_frame(features, x));
  const Eigen::Matrix<double, 12, 5> image = hessian.lazyProduct(basis);
  const Eigen::Matrix<double, 5, 5> reduced = basis.transpose().lazyProduct(image);
  const Eigen::Matrix<double, 12, 5> expanded = basis.lazyProduct(reduced);
  const PairMatrix outside = hessian - expanded.lazyProduct(basis.transpose());
  if (!(outside.squaredNorm() <= 1e-24 * hessian.squaredNorm())) return positive_part(hessian);
  return without_negative_part<5>(hessian, basis, reduced);
}

}  // namespace holo::pairs
