#pragma once
// Energies of the invariants of an isotropic solid, psi(I1, I2, J), chained to the deformation gradient F in closed form:
//
//   I1 = tr C,  I2 = (I1^2 - tr C^2)/2,  J = det F,  C = F^T F          dimensionless
//   P = dpsi/dF = sum_a psi_a G_a,  G_1 = 2 F,  G_2 = 2 (I1 F - F C),  G_J = cof F
//
// For any scalar: on lanes, several elements; on nilpotent numbers over lanes, the derivatives of higher order. What vanishes
// identically (an InvariantPattern, known at compile time) is not computed.

#include "holo/diff/matrix.h"
#include "holo/diff/solid/tetrahedron_chain.h"

namespace holo {

// Which derivatives in (I1, I2, J) do not vanish identically; second ones as upper half by rows: 11, 12, 1J, 22, 2J, JJ.
struct InvariantPattern {
  bool first[3] = {true, true, true};
  bool second[6] = {true, true, true, true, true, true};

  constexpr bool uses_I2() const { return first[1]; }
};

// Bit k: the k-th of the three first and six second derivatives does not vanish identically.
constexpr unsigned invariant_slope_bits(const InvariantPattern& pattern) {
  unsigned bits = 0;
  for (int k = 0; k < 9; ++k) bits |= unsigned(k < 3 ? pattern.first[k] : pattern.second[k - 3]) << k;
  return bits;
}
constexpr InvariantPattern invariant_pattern_of(unsigned bits) {
  InvariantPattern pattern;
  for (int k = 0; k < 9; ++k) (k < 3 ? pattern.first[k] : pattern.second[k - 3]) = (bits >> k & 1u) != 0;
  return pattern;
}

template <class S>
struct InvariantSlopes {
  S first[3], second[6];
};

// I2 is left 0 unless it is wanted.
template <bool wants_I2, class S>
HOLO_FN HOLO_INLINE constexpr Vector3<S> invariants(const Matrix3<S>& F) {
  Vector3<S> result{squared_norm(F), S(0.0), determinant(F)};
  if constexpr (wants_I2) result[1] = squared_norm(cofactor(F));  // tr cof C: no cancellation
  return result;
}

namespace detail {

// (F^T F) of symmetric entries: all nine, six computed.
template <class S>
HOLO_FN HOLO_INLINE constexpr Matrix3<S> gram_of_columns(const Matrix3<S>& F) {
  Matrix3<S> C{};
  unroll<9>([&](auto k) HOLO_INLINE_LAMBDA {
    constexpr int i = k / 3, j = k % 3;
    if constexpr (i <= j) C(i, j) = C(j, i) = F(0, i) * F(0, j) + F(1, i) * F(1, j) + F(2, i) * F(2, j);
  });
  return C;
}
template <class S>
HOLO_FN HOLO_INLINE constexpr Matrix3<S> gram_of_rows(const Matrix3<S>& F) {
  Matrix3<S> B{};
  unroll<9>([&](auto k) HOLO_INLINE_LAMBDA {
    constexpr int i = k / 3, j = k % 3;
    if constexpr (i <= j) B(i, j) = B(j, i) = F(i, 0) * F(j, 0) + F(i, 1) * F(j, 1) + F(i, 2) * F(j, 2);
  });
  return B;
}

template <class S>
HOLO_FN HOLO_INLINE constexpr void add_product(S& sum, bool& empty, const S& a, const S& b) {
  sum = empty ? a * b : sum + a * b;
  empty = false;
}

}  // namespace detail

// dpsi/dF from the slopes' first[3]; `I` are the invariants of F.
template <InvariantPattern pattern, class S>
HOLO_FN HOLO_INLINE constexpr Matrix3<S> invariant_stress(const Matrix3<S>& F, const Vector3<S>& I, const S (&slope)[3]) {
  Matrix3<S> P{};
  const S one = pattern.first[1] ? S(2.0) * (slope[0] + slope[1] * I[0]) : S(2.0) * slope[0];
  for (int k = 0; k < 9; ++k) P[k] = one * F[k];
  if constexpr (pattern.first[1]) {
    const Matrix3<S> C = detail::gram_of_columns(F);
    const S two = S(-2.0) * slope[1];
    const Matrix3<S> FC = F * C;
    for (int k = 0; k < 9; ++k) P[k] = P[k] + two * FC[k];
  }
  if constexpr (pattern.first[2]) {
    const Matrix3<S> cofactors = cofactor(F);
    for (int k = 0; k < 9; ++k) P[k] = P[k] + slope[2] * cofactors[k];
  }
  return P;
}

// d2psi/dF2: store(k, value) takes entry k of the upper half by rows of the 9x9 matrix, F row-major.
//   sum_ab psi_ab G_a G_b^T + 2 psi_1 I + psi_J dcof
//   + 2 psi_2 (2 F F^T as 9-vectors + I1 I - delta_ik C_jl - delta_jl (F F^T)_ik - F_il F_kj)     for the entries ij, kl
template <InvariantPattern pattern, class S, class Store>
HOLO_FN HOLO_INLINE constexpr void invariant_hessian(const Matrix3<S>& F, const Vector3<S>& I, const InvariantSlopes<S>& slopes,
                                                     const Store& store) {
  constexpr bool uses_2 = pattern.first[1];
  // F F^T of the second line joins psi_11 G_1 G_1^T.
  constexpr bool used[6] = {pattern.second[0] || uses_2, pattern.second[1], pattern.second[2],
                            pattern.second[3],           pattern.second[4], pattern.second[5]};
  constexpr bool row_used[3] = {used[0] || used[1] || used[2], used[1] || used[3] || used[4], used[2] || used[4] || used[5]};
  S second[6] = {slopes.second[0], slopes.second[1], slopes.second[2], slopes.second[3], slopes.second[4], slopes.second[5]};
  if constexpr (uses_2) second[0] = pattern.second[0] ? second[0] + slopes.first[1] : slopes.first[1];
  const Matrix3<S> cofactors = cofactor(F);
  Matrix3<S> C{}, B{}, G[3]{}, product[3]{};  // product_a = sum_b psi_ab G_b
  if constexpr (uses_2) {
    C = detail::gram_of_columns(F);
    B = detail::gram_of_rows(F);
  }
  const Matrix3<S> FC = uses_2 ? F * C : Matrix3<S>{};
  const S twice_slope_2 = S(2.0) * slopes.first[1];
  detail::unroll<9>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int k = index;
    G[0][k] = S(2.0) * F[k];
    if constexpr (row_used[1]) G[1][k] = S(2.0) * (I[0] * F[k] - FC[k]);
    G[2][k] = cofactors[k];
    detail::unroll<3>([&](auto row) HOLO_INLINE_LAMBDA {
      constexpr int a = row, entry[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
      bool empty = true;
      detail::unroll<3>([&](auto column) HOLO_INLINE_LAMBDA {
        if constexpr (constexpr int ab = entry[a][column]; used[ab])
          detail::add_product(product[a][k], empty, second[ab], G[column][k]);
      });
    });
    if constexpr (uses_2) {
      C[k] = twice_slope_2 * C[k];
      B[k] = twice_slope_2 * B[k];
    }
  });
  Matrix3<S> scaled{};  // for F_il F_kj and dcof
  for (int k = 0; k < 9; ++k) scaled[k] = uses_2 ? twice_slope_2 * F[k] : S(0.0);
  Matrix3<S> remaining{};
  for (int k = 0; k < 9; ++k) remaining[k] = pattern.first[2] ? slopes.first[2] * F[k] : S(0.0);
  const S diagonal = uses_2 ? S(2.0) * slopes.first[0] + twice_slope_2 * I[0] : S(2.0) * slopes.first[0];
  detail::unroll<81>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int row = index / 9, column = index % 9, i = row / 3, j = row % 3, k = column / 3, l = column % 3;
    if constexpr (row <= column) {
      S h(0.0);
      bool empty = true;
      detail::unroll<3>([&](auto a) HOLO_INLINE_LAMBDA {
        if constexpr (row_used[a]) detail::add_product(h, empty, G[a][row], product[a][column]);
      });
      if constexpr (row == column) h = h + diagonal;
      if constexpr (uses_2) {
        h = h - scaled(i, l) * F(k, j);
        if constexpr (i == k) h = h - C(j, l);
        if constexpr (j == l) h = h - B(i, k);
      }
      if constexpr (pattern.first[2] && i != k && j != l) {  // +-F of the remaining row and column
        constexpr bool positive = ((k - i + 3) % 3 == 1) == ((l - j + 3) % 3 == 1);
        const S rest = remaining(3 - i - k, 3 - j - l);
        h = positive ? h + rest : h - rest;
      }
      store(upper_index<9>(row, column), h);
    }
  });
}

}  // namespace holo
