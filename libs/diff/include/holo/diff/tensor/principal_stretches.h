#pragma once
// Energies of the principal stretches E(s0, s1, s2), chained to the deformation gradient: stress and Hessian, exact also where
// stretches are equal or nearly so (at rest all three are), as singular vectors are never differentiated [Irving2004],
// [Smith2019]. For double, and for lanes (several elements at once).
//
//   SignedSvd<S> svd = signed_svd(F);                           // F = U diag(s) V^T, s = svd.stretches
//   Matrix3<S> P = spectral_stress(svd, g);                     // g_i = dE/ds_i
//   StretchBlocks<S> blocks = stretch_blocks(svd.stretches, g, h, curvature);
//   spectral_hessian(svd, blocks, store);                       // d2E/dF2, upper half by rows (45), store(k, value)
//
// h: upper half by rows of d2E/ds2 (00, 01, 02, 11, 12, 22). curvature(i, j, t), with i and j integral constants, gives
// h_ii + h_jj - 2 h_ij at other stretches t, the second derivative along e_i - e_j; it is asked, three times for a pair, only
// where the two stretches of any lane are near each other. pair_curvature() takes it from a function that gives all of h;
// holo/diff/tensor/stretch_energy.h takes g, h and it from an energy template.
//
// E must be symmetric in its three arguments, as an isotropic energy is.

#include <type_traits>

#include "holo/diff/singular/kinks.h"
#include "holo/diff/solid/tetrahedron_chain.h"
#include "holo/diff/tensor/signed_svd.h"

namespace holo {

// The Hessian in the principal axes: `stretch` on the u_i v_i^T (upper half by rows), and for the pairs (i, j) = 01, 02, 12 the
// eigenvalues `symmetric` of (u_i v_j^T + u_j v_i^T)/sqrt(2) and `skew` of (u_i v_j^T - u_j v_i^T)/sqrt(2).
template <class S>
struct StretchBlocks {
  Vector<S, 6> stretch;
  Vector3<S> symmetric;  // (g_i - g_j)/(s_i - s_j)
  Vector3<S> skew;       // (g_i + g_j)/(s_i + s_j)
};

namespace detail {

inline constexpr int pair_first[3] = {0, 0, 1}, pair_second[3] = {1, 2, 2};
inline constexpr int stretch_index[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

// Positive nodes of the six-point Gauss-Legendre rule on [-1, 1], weights with the sum 1. An even function is integrated as if
// by polynomials of degree 11 from three values.
inline constexpr double even_nodes[3] = {0.23861918608319690863, 0.66120938646626451366, 0.93246951420315202781};
inline constexpr double even_weights[3] = {0.46791393457269104739, 0.36076157304813860757, 0.17132449237917034504};

// The gap below which a quotient of differences loses too many digits: 5 % of the mean of two stretches, and 10 % for quotients
// that are differentiated once more, which lose twice as many. For stretches near 0 the mean counts as a thousandth.
inline constexpr double near_gap = 0.05, near_gap_of_third_order = 0.1;
template <class S>
HOLO_FN HOLO_INLINE auto are_near(const S& a, const S& b, double gap = near_gap) {
  return abs(a - b) <= S(gap) * max(S(0.5 * abs(a + b)), S(1e-3));
}

// The mean over the segment from (s_i, s_j) to (s_j, s_i) of f(s with both replaced), for even f; f(t) of three stretches.
template <int i, int j, class S, class Function>
HOLO_FN HOLO_INLINE S mean_over_exchange(const Vector3<S>& s, const Function& f) {
  const S middle = S(0.5) * (s[i] + s[j]), half = S(0.5) * (s[i] - s[j]);
  S sum(0.0);
  for (int k = 0; k < 3; ++k) {
    Vector3<S> t = s;
    t[i] = middle + S(even_nodes[k]) * half;
    t[j] = middle - S(even_nodes[k]) * half;
    sum = sum + S(even_weights[k]) * f(t);
  }
  return sum;
}

// (g_i - g_j)/(s_i - s_j)
template <int i, int j, class S, class Curvature>
HOLO_FN HOLO_INLINE S symmetric_block(const Vector3<S>& s, const Vector3<S>& g, const Curvature& curvature,
                                      double gap = near_gap) {
  const auto near = are_near(s[i], s[j], gap);
  const S quotient = (g[i] - g[j]) / select(near, S(1.0), S(s[i] - s[j]));
  if (!any(near)) return quotient;
  using I = std::integral_constant<int, i>;
  using J = std::integral_constant<int, j>;
  const S mean = mean_over_exchange<i, j>(s, [&](const Vector3<S>& t) HOLO_INLINE_LAMBDA { return curvature(I{}, J{}, t); });
  return select(near, S(S(0.5) * mean), quotient);
}

// s_i + s_j kept away from 0, where the derivative of an energy does not exist unless the energy provides for inversion.
template <class S>
HOLO_FN HOLO_INLINE S kept_from_zero(const S& sum) {
  const S least(1e-9);
  const auto small = abs(sum) < least;
  count(&KinkCounters::kinks, small);
  return select(small, select(sum < S(0.0), S(-least), least), sum);
}

}  // namespace detail

// curvature(i, j, t) from a function that gives all of h at t.
template <class Hessian>
HOLO_FN constexpr auto pair_curvature(const Hessian& hessian) {
  return [hessian](auto i, auto j, const auto& t) HOLO_INLINE_LAMBDA {
    const auto h = hessian(t);
    const auto mixed = h[detail::stretch_index[i][j]];
    return h[detail::stretch_index[i][i]] + h[detail::stretch_index[j][j]] - (mixed + mixed);
  };
}

// U diag(g) V^T: dE/dF.
template <class S>
HOLO_FN HOLO_INLINE Matrix3<S> spectral_stress(const SignedSvd<S>& svd, const Vector3<S>& g) {
  Matrix3<S> P{};
  detail::unroll<9>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int a = index / 3, b = index % 3;
    P(a, b) = svd.U(a, 0) * g[0] * svd.V(b, 0) + svd.U(a, 1) * g[1] * svd.V(b, 1) + svd.U(a, 2) * g[2] * svd.V(b, 2);
  });
  return P;
}

// The blocks of the Hessian in principal axes. At s_i = -s_j, which only inverted elements have, s_i + s_j is replaced by 1e-9,
// and a kink is counted.
template <class S, class Curvature>
HOLO_FN HOLO_INLINE StretchBlocks<S> stretch_blocks(const Vector3<S>& s, const Vector3<S>& g, const Vector<S, 6>& h,
                                                    const Curvature& curvature, double gap = detail::near_gap) {
  StretchBlocks<S> blocks{};
  blocks.stretch = h;
  detail::unroll<3>([&](auto pair) HOLO_INLINE_LAMBDA {
    constexpr int i = detail::pair_first[pair], j = detail::pair_second[pair];
    blocks.symmetric[pair] = detail::symmetric_block<i, j>(s, g, curvature, gap);
    blocks.skew[pair] = (g[i] + g[j]) / detail::kept_from_zero(S(s[i] + s[j]));
  });
  return blocks;
}

// d2E/dF2 from its blocks: store(k, value) takes entry k of the upper half by rows of the 9x9 matrix, F row-major.
template <class S, class Store>
HOLO_FN HOLO_INLINE void spectral_hessian(const SignedSvd<S>& svd, const StretchBlocks<S>& blocks, const Store& store) {
  const Matrix3<S>&U = svd.U, &V = svd.V;
  // The right side first: of the coefficients N_ik of u_i ... u_k, the diagonal ones are symmetric 3x3 matrices (upper half by
  // rows), and N_ki is the transpose of N_ik.
  constexpr int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  S coefficient[3][3];  // of u_i v_j^T with itself
  S exchange[3];        // of u_i v_j^T with u_j v_i^T
  detail::unroll<3>([&](auto pair) HOLO_INLINE_LAMBDA {
    constexpr int i = detail::pair_first[pair], j = detail::pair_second[pair];
    coefficient[i][j] = coefficient[j][i] = S(0.5) * (blocks.symmetric[pair] + blocks.skew[pair]);
    exchange[pair] = S(0.5) * (blocks.symmetric[pair] - blocks.skew[pair]);
    coefficient[pair][pair] = blocks.stretch[detail::stretch_index[pair][pair]];
  });
  S same[3][6], mixed[3][3][3];
  detail::unroll<6>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int a = row[index], b = column[index];
    const S first = V(a, 0) * V(b, 0), second = V(a, 1) * V(b, 1), third = V(a, 2) * V(b, 2);
    detail::unroll<3>([&](auto i) HOLO_INLINE_LAMBDA {
      same[i][index] = coefficient[i][0] * first + coefficient[i][1] * second + coefficient[i][2] * third;
    });
  });
  detail::unroll<27>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int pair = index / 9, a = index / 3 % 3, b = index % 3;
    constexpr int i = detail::pair_first[pair], k = detail::pair_second[pair];
    mixed[pair][a][b] =
        blocks.stretch[detail::stretch_index[i][k]] * (V(a, i) * V(b, k)) + exchange[pair] * (V(a, k) * V(b, i));
  });
  detail::unroll<3>([&](auto right_row) HOLO_INLINE_LAMBDA {
    constexpr int b = right_row;
    S half[3][3][3];  // [i][A][B]: sum_k U_bk N_ik; for b = 0 on and above the diagonal
    detail::unroll<9>([&](auto index) HOLO_INLINE_LAMBDA {
      constexpr int A = index / 3, B = index % 3, symmetric = detail::stretch_index[A][B];
      if constexpr (b > 0 || A <= B) {
        half[0][A][B] = U(b, 0) * same[0][symmetric] + U(b, 1) * mixed[0][A][B] + U(b, 2) * mixed[1][A][B];
        half[1][A][B] = U(b, 0) * mixed[0][B][A] + U(b, 1) * same[1][symmetric] + U(b, 2) * mixed[2][A][B];
        half[2][A][B] = U(b, 0) * mixed[1][B][A] + U(b, 1) * mixed[2][B][A] + U(b, 2) * same[2][symmetric];
      }
    });
    detail::unroll<9 * (b + 1)>([&](auto index) HOLO_INLINE_LAMBDA {
      constexpr int a = index / 9, A = index / 3 % 3, B = index % 3;
      if constexpr (a < b || A <= B)
        store(upper_index<9>(3 * a + A, 3 * b + B),
              U(a, 0) * half[0][A][B] + U(a, 1) * half[1][A][B] + U(a, 2) * half[2][A][B]);
    });
  });
}

}  // namespace holo
