#pragma once
// The chart R = exp([w]) of rotations by the rotation vector w [rad]: the rotation, its angular velocities and their
// derivatives, over any scalar. The chart is regular for |w| < 2 pi.

#include "holo/sim/articulated/dynamics/rigid_frame.h"

namespace holo::articulated {

// Entire functions of u = w.w: with t^2 = u, a = sin t / t, b = (1 - cos t) / t^2, c = (t - sin t) / t^3, and the derivatives
// of b and c by u.
template <class S>
struct RotationCoefficients {
  S a, b, c, db, dc;
};

// Series below u = 1/4, where closed forms lose digits and sqrt(u) has no derivative: a term k is (-u)^k over a factorial.
template <class S>
HOLO_FN constexpr RotationCoefficients<S> small_rotation_coefficients(const S& u) {
  RotationCoefficients<S> result{S(0.0), S(0.0), S(0.0), S(0.0), S(0.0)};
  S power(1.0);               // (-u)^k
  double over_factorial = 1;  // 1 / (2 k + 1)!
  for (int k = 0; k < 10; ++k) {
    const double b = over_factorial / (2 * k + 2), c = b / (2 * k + 3);
    result.a = result.a + over_factorial * power;
    result.b = result.b + b * power;
    result.c = result.c + c * power;
    // d/du of the next term: -(k + 1) (-u)^k
    const double next_b = c / (2 * k + 4), next_c = next_b / (2 * k + 5);
    result.db = result.db - (k + 1) * next_b * power;
    result.dc = result.dc - (k + 1) * next_c * power;
    power = -u * power;
    over_factorial = c;
  }
  return result;
}

template <class S>
HOLO_FN constexpr RotationCoefficients<S> rotation_coefficients(const S& u) {
  if (u < 0.25) return small_rotation_coefficients(u);
  const S t = sqrt(u), a = sin(t) / t, b = (S(1.0) - cos(t)) / u, c = (S(1.0) - a) / u;
  return {a, b, c, (a - S(2.0) * b) / (S(2.0) * u), (b - S(3.0) * c) / (S(2.0) * u)};
}

// exp([w])
template <class S>
HOLO_FN constexpr Matrix3<S> rotation_of_vector(const Vector3<S>& w) {
  const RotationCoefficients<S> k = rotation_coefficients(dot(w, w));
  const Matrix3<S> W = cross_matrix(w);
  return identity3<S>() + k.a * W + k.b * (W * W);
}

// The left Jacobian J = 1 + b [w] + c [w]^2: [J e_k] R = dR / dw_k. Its least singular value is |sin(t/2)| / (t/2).
template <class S>
HOLO_FN constexpr Matrix3<S> left_jacobian(const Vector3<S>& w) {
  const RotationCoefficients<S> k = rotation_coefficients(dot(w, w));
  const Matrix3<S> W = cross_matrix(w);
  return identity3<S>() + k.b * W + k.c * (W * W);
}

// dJ / dw_l. The columns satisfy the identity of Maurer and Cartan: d_l J_k - d_k J_l = J_l x J_k.
template <class S>
HOLO_FN constexpr Matrix3<S> left_jacobian_derivative(const Vector3<S>& w, int l) {
  const RotationCoefficients<S> k = rotation_coefficients(dot(w, w));
  Vector3<S> direction{};
  direction[l] = S(1.0);
  const Matrix3<S> W = cross_matrix(w), E = cross_matrix(direction);
  const S du = S(2.0) * w[l];
  return (k.db * du) * W + k.b * E + (k.dc * du) * (W * W) + k.c * (E * W + W * E);
}

}  // namespace holo::articulated
