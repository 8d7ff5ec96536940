#pragma once
// Inner products of twists with wrench matrices and second moments, over the top three rows of 4 x 4 matrices: <A, B> = sum of
// A_ij B_ij. docs/articulated-dynamics.md#residual uses them.

#include "holo/sim/articulated/dynamics/step_data.h"

namespace holo::articulated {

// <xi, M>: the force of the wrench M on the degree of freedom of the twist [N or N m].
template <class S>
HOLO_FN constexpr S generalized_force(const Twist<S>& xi, const WrenchMatrix<S>& M) {
  return xi.angular[0] * (M(2, 1) - M(1, 2)) + xi.angular[1] * (M(0, 2) - M(2, 0)) + xi.angular[2] * (M(1, 0) - M(0, 1)) +
         xi.linear[0] * M(0, 3) + xi.linear[1] * M(1, 3) + xi.linear[2] * M(2, 3);
}

// <xi_a xi_b, M>
template <class S>
HOLO_FN constexpr S curvature_force(const Twist<S>& a, const Twist<S>& b, const WrenchMatrix<S>& M) {
  S rotational(0.0), translational(0.0);
  const Vector3<S> moved = cross(a.angular, b.linear);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) rotational = rotational + b.angular[i] * M(i, j) * a.angular[j];
    translational = translational + moved[i] * M(i, 3);
  }
  return rotational - dot(a.angular, b.angular) * (M(0, 0) + M(1, 1) + M(2, 2)) + translational;
}

// <xi_a E, xi_b> of a 4 x 4 matrix E, which need not be symmetric.
template <class S>
HOLO_FN constexpr S moment_product(const Twist<S>& a, const Matrix<S, 4, 4>& E, const Twist<S>& b) {
  S rotational(0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) rotational = rotational + b.angular[i] * E(i, j) * a.angular[j];
  const Vector3<S> column{E(0, 3), E(1, 3), E(2, 3)}, row{E(3, 0), E(3, 1), E(3, 2)};
  return dot(a.angular, b.angular) * (E(0, 0) + E(1, 1) + E(2, 2)) - rotational + dot(a.linear, cross(b.angular, row)) +
         dot(b.linear, cross(a.angular, column)) + E(3, 3) * dot(a.linear, b.linear);
}

// Adds f [P; 1]^T.
template <class S>
HOLO_FN constexpr void add_force(const Vector3<S>& force, const Vector3<S>& point, WrenchMatrix<S>& M) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) M(i, j) = M(i, j) + force[i] * point[j];
    M(i, 3) = M(i, 3) + force[i];
  }
}

// [R o], the top three rows of a frame.
template <class S>
HOLO_FN constexpr Matrix<S, 3, 4> frame_rows(const RigidFrame<S>& frame) {
  Matrix<S, 3, 4> result{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result(i, j) = frame.rotation(i, j);
    result(i, 3) = frame.origin[i];
  }
  return result;
}

// A T^T of the rows A of a 3 x 4 matrix.
template <class S>
HOLO_FN constexpr Matrix<S, 3, 4> times_transposed(const Matrix<S, 3, 4>& A, const RigidFrame<S>& T) {
  Matrix<S, 3, 4> result{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      S sum = A(i, 3) * T.origin[j];
      for (int k = 0; k < 3; ++k) sum = sum + A(i, k) * T.rotation(j, k);
      result(i, j) = sum;
    }
    result(i, 3) = A(i, 3);
  }
  return result;
}

// T E U^T of two frames and second moments.
template <class S>
HOLO_FN constexpr Matrix<S, 4, 4> moved_moments(const RigidFrame<S>& T, const SecondMoments& E, const RigidFrame<S>& U) {
  const Matrix<S, 4, 4> moments = matrix_cast<S>(E);
  const Matrix<S, 3, 4> upper = times_transposed(frame_rows(T) * moments, U);
  const Matrix<S, 3, 4> last = times_transposed(Matrix<S, 3, 4>{moments(3, 0), moments(3, 1), moments(3, 2), moments(3, 3)}, U);
  Matrix<S, 4, 4> result{};
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 3; ++i) result(i, j) = upper(i, j);
    result(3, j) = last(0, j);
  }
  return result;
}

}  // namespace holo::articulated
