#pragma once
// Signed singular values of a 3 x 3 matrix on a tape, F = U diag(s) V' with rotations U and V, and functions of them.
//
//   MatrixVariable<T> s = signed_singular_values(F);                            // s0 >= s1 >= |s2|; sbar: Fbar += U diag(sbar)
//   V' Variable<T> E = function_of_stretches(F, [](auto a, auto b, auto c) { ... });   // symmetric in its three arguments
//
// The gradient through the values is exact everywhere if what is made of them is symmetric in them. Their second derivatives
// grow as one over the gap of two stretches, and rounding with them, although those of a symmetric function are finite:
// function_of_stretches() has these to rounding whatever the gap [holo/diff/tensor/principal_stretches.h].

#include <memory>
#include <vector>

#include "holo/diff/tape/lifting.h"
#include "holo/diff/tensor/stretch_energy.h"
#include "holo/diff/tensor/stretch_third_order.h"

namespace holo {

namespace detail {

template <class T>
struct LiftedSvd {
  Matrix3<T> U, V, M;  // M = U' F V
};

// Rotations that make U' F V diagonal: of its entries (i, j) and (j, i), turning U by x and V by y takes s_j x - s_i y and
// s_j y - s_i x.
template <class T>
LiftedSvd<T> lifted_svd(const SignedSvd<double>& real, const Matrix3<T>& F) {
  LiftedSvd<T> svd{matrix_cast<T>(real.U), matrix_cast<T>(real.V), {}};
  const auto& s = real.stretches;
  const auto turn = [](const Matrix3<T>& Q, const Matrix3<T>& X) {  // Q (I + X), and a step toward orthogonality
    const Matrix3<T> turned = Q + Q * X;
    return Matrix3<T>(T(1.5) * turned - T(0.5) * (turned * (transpose(turned) * turned)));
  };
  svd.M = transpose(svd.U) * F * svd.V;
  lift<T>([&] {
    Matrix3<T> X{}, Y{};
    for (int i = 0; i < 2; ++i)
      for (int j = i + 1; j < 3; ++j) {
        const double scale = 1.0 / ((s[j] - s[i]) * (s[j] + s[i]));
        X(i, j) = scale * (s[j] * svd.M(i, j) + s[i] * svd.M(j, i));
        Y(i, j) = scale * (s[i] * svd.M(i, j) + s[j] * svd.M(j, i));
        X(j, i) = -X(i, j);
        Y(j, i) = -Y(i, j);
      }
    svd.U = turn(svd.U, X);
    svd.V = turn(svd.V, Y);
    svd.M = transpose(svd.U) * F * svd.V;
    return std::fmax(largest_entry(X), largest_entry(Y));
  });
  return svd;
}

void require_simple_stretches(const Vector3<double>& s);

// An energy of F about F_0: its derivatives there, with respect to the entries by rows.
struct StretchExpansion {
  double value, gradient[9], hessian[9][9];
  std::vector<double> third;  // [9][9][9], or empty
};
// store(k, value) for entry k of the upper half by rows.
inline auto store_both_halves(double* m) {
  return [m](int k, double value) {
    int row = 0;
    for (; k > 8 - row; ++row) k -= 9 - row;
    m[9 * row + row + k] = m[9 * (row + k) + row] = value;
  };
}
template <bool third_order, class Energy>
StretchExpansion expand_stretch_energy(const Matrix3<double>& F, const Energy& energy) {
  StretchExpansion e{};
  const SignedSvd<double> svd = signed_svd(F);
  const auto at = stretch_derivatives<double>(energy, svd.stretches);
  e.value = at.value;
  std::copy_n(spectral_stress(svd, at.gradient).entries, 9, e.gradient);
  spectral_hessian(svd, stretch_blocks(svd.stretches, at.gradient, at.hessian, energy_curvature(energy)),
                   store_both_halves(e.hessian[0]));
  if constexpr (third_order) {
    const auto gradient = [&](const auto& s) { return stretch_derivatives(energy, s).gradient; };
    const auto hessian = [&](const auto& s) { return stretch_derivatives(energy, s).hessian; };
    const StretchThirdOrder<double> third = stretch_third_order(svd.stretches, gradient, hessian);
    e.third.resize(729);
    for (int k = 0; k < 9; ++k) {
      Matrix3<double> unit{};
      unit[k] = 1;
      store_in_entries(svd, third_derivative_along(third, principal_components(svd, unit)),
                       store_both_halves(e.third.data() + 81 * k));
    }
  }
  return e;
}

// With N = F - F_0: gradient + H N + T[N, N]/2, and the value.
template <class T>
Matrix3<T> expanded_gradient(const StretchExpansion& e, const Matrix3<T>& N) {
  Matrix3<T> P{};
  for (int i = 0; i < 9; ++i) {
    T sum(e.gradient[i]);
    for (int j = 0; j < 9; ++j) {
      T slope(e.hessian[i][j]);
      if constexpr (requires {
                      requires T::order >
                      1;
                    })
        for (int k = 0; k < 9; ++k) slope = slope + 0.5 * e.third[std::size_t(81 * k + 9 * i + j)] * N[k];
      sum = sum + slope * N[j];
    }
    P[i] = sum;
  }
  return P;
}
template <class T>
T expanded_value(const StretchExpansion& e, const Matrix3<T>& N) {
  T sum(e.value);
  for (int i = 0; i < 9; ++i) {
    T slope(e.gradient[i]);
    for (int j = 0; j < 9; ++j) slope = slope + 0.5 * e.hessian[i][j] * N[j];
    sum = sum + slope * N[i];
  }
  return sum;
}
template <class T>
Matrix3<T> beyond_the_value(const TapeBlock* a) {
  return load_matrix3<T>(a->values) - matrix_cast<T>(real_matrix3(a));
}

}  // namespace detail

// [3]. With a scalar that carries derivatives the stretches must be simple: throws TensorError(repeated_eigenvalue) for gaps,
// and sums, of two below 1e-8 of the largest. dimension_mismatch for other than 3 x 3, not_finite.
template <class T>
MatrixVariable<T> signed_singular_values(const MatrixVariable<T>& F) {
  detail::require_3x3(F, "singular values");
  Tape<T>& tape = F.tape();
  const SignedSvd<double> real = signed_svd(detail::real_matrix3(F.block()));
  if constexpr (!std::is_arithmetic_v<T>) detail::require_simple_stretches(real.stretches);
  TapeBlock *a = F.block(), *z = tape.block(3, 1);
  const detail::LiftedSvd<T> svd = detail::lifted_svd(real, detail::load_matrix3<T>(a->values));
  constexpr int planes = detail::Planes<T>::count;
  double *U = tape.kept(9 * planes), *V = tape.kept(9 * planes);
  detail::store_matrix3(svd.U, U);
  detail::store_matrix3(svd.V, V);
  for (int i = 0; i < 3; ++i) detail::Planes<T>::split(svd.M(i, i), z->values + i, 3);
  return detail::block_node(tape, z, [a, z, U, V](Tape<T>& t) {
    Matrix3<T> scaled = detail::load_matrix3<T>(U);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) scaled(k, i) = scaled(k, i) * detail::Planes<T>::join(z->adjoints + i, 3);
    detail::add_matrix3(scaled * transpose(detail::load_matrix3<T>(V)), t.adjoint(a));
  });
}

// energy(s0, s1, s2): a template of the scalar, symmetric in its arguments. For scalars of order at most 2. Throws as above.
template <class T, class Energy>
Variable<T> function_of_stretches(const MatrixVariable<T>& F, const Energy& energy) {
  constexpr bool third_order = requires {
    requires T::order >
    1;
  };
  static_assert(
      !requires {
        requires T::order >
        2;
      },
      "a function of stretches on a tape has derivatives up to the third");
  detail::require_3x3(F, "a function of stretches");
  detail::require_tiny_step<T>(F.block(), "a function of stretches");
  TapeBlock* a = F.block();
  const auto* e = F.tape().template result_of_value<detail::StretchExpansion>({a->values, 9}, [&] {
    return std::make_shared<const detail::StretchExpansion>(
        detail::expand_stretch_energy<third_order>(detail::real_matrix3(a), energy));
  });
  const T value = detail::expanded_value(*e, detail::beyond_the_value<T>(a));
  return detail::scalar_node(F.tape(), value, [a, e](Tape<T>& t, const T& zbar) {
    const Matrix3<T> P = detail::expanded_gradient(*e, detail::beyond_the_value<T>(a));
    detail::add_matrix3(zbar * P, t.adjoint(a));
  });
}

}  // namespace holo
