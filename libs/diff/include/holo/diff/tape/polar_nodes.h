#pragma once
// The polar decomposition F = R S of a 3 x 3 matrix on a tape, smooth also where stretches are equal.
//
//   auto [R, S] = polar_decomposition(F);          // R a rotation; see holo/diff/tensor/polar_decomposition.h for the variants
//
// R: (tr S I - S) w = axial(R' Rbar - Rbar' R), Fbar += R [w]x. S = R' F is a product.

#include "holo/diff/tape/lifting.h"
#include "holo/diff/tape/matrix_arithmetic.h"
#include "holo/diff/tensor/polar_decomposition.h"

namespace holo {

template <class T>
struct PolarVariables {
  MatrixVariable<T> R, S;
};

namespace detail {

// The matrix [w]x with solve w = axial(K - K'), [axial(K)]x = K for skew K.
template <class T, class S>
Matrix3<T> skew_of(const Matrix3<S>& solve, const Matrix3<T>& K) {
  const Vector3<T> axial{K(2, 1) - K(1, 2), K(0, 2) - K(2, 0), K(1, 0) - K(0, 1)};
  Vector3<T> w{};
  for (int i = 0; i < 3; ++i) w[i] = solve(i, 0) * axial[0] + solve(i, 1) * axial[1] + solve(i, 2) * axial[2];
  return {T(0.0), -w[2], w[1], w[2], T(0.0), -w[0], -w[1], w[0], T(0.0)};
}

// R in the algebra from that of the real part: R' R = I, and R' F symmetric.
template <class T>
Matrix3<T> lifted_rotation(const RealPolar& real, const Matrix3<T>& F) {
  Matrix3<T> R = matrix_cast<T>(real.R);
  const Matrix3<T> I = identity3<T>();
  lift<T>([&] {
    const Matrix3<T> half = T(0.5) * (I - transpose(R) * R), orthogonal = R + R * half;
    const Matrix3<T> turn = skew_of<T>(real.inverse_of_sums, transpose(orthogonal) * F);
    R = orthogonal + orthogonal * turn;
    return std::fmax(largest_entry(half), largest_entry(turn));
  });
  return R;
}

}  // namespace detail

// Throws TensorError: singular where two stretches have the sum 0, dimension_mismatch for other than 3 x 3, not_finite.
template <class T>
MatrixVariable<T> polar_rotation(const MatrixVariable<T>& F, PolarVariant variant = PolarVariant::rotation) {
  detail::require_3x3(F, "a polar decomposition");
  Tape<T>& tape = F.tape();
  TapeBlock *a = F.block(), *z = tape.block(3, 3);
  const detail::RealPolar real = detail::real_polar(detail::real_matrix3(a), variant);
  detail::store_matrix3(detail::lifted_rotation(real, detail::load_matrix3<T>(a->values)), z->values);
  return detail::block_node(tape, z, [a, z](Tape<T>& t) {
    const Matrix3<T> R = detail::load_matrix3<T>(z->values), Rbar = detail::load_matrix3<T>(z->adjoints);
    const Matrix3<T> S = transpose(R) * detail::load_matrix3<T>(a->values);
    const Matrix3<T> sums = trace(S) * identity3<T>() - S;
    detail::add_matrix3(R * detail::skew_of<T>(inverse(sums), transpose(R) * Rbar), t.adjoint(a));
  });
}
template <class T>
PolarVariables<T> polar_decomposition(const MatrixVariable<T>& F, PolarVariant variant = PolarVariant::rotation) {
  const MatrixVariable<T> R = polar_rotation(F, variant);
  return {R, transpose(R) * F};
}

}  // namespace holo
