#pragma once
// The third derivative of an energy of the principal stretches along a direction W: the change of d2E/dF2 when F changes by W,
// exact also where stretches are equal or nearly so. For double, and for lanes.
//
//   Vector3<S> w = stretch_rates(svd, W);                            // of the stretches, where they are distinct
//   spectral_hessian_differential(svd, W, g, h, h_rate, curvature_gradient, curvature, store);
//
// g, h and curvature as in holo/diff/tensor/principal_stretches.h. h_rate: sum_k d3E/(ds_i ds_j ds_k) w_k, upper half by rows.
// curvature_gradient(i, j, t): the gradient of h_ii + h_jj - 2 h_ij at other stretches t; asked only where stretches are near.
// holo/diff/tensor/stretch_energy.h takes them from an energy template.
//
// In the principal axes, with X = U^T dF V, x_i = X_ii, p_ij = (X_ij + X_ji)/2, q_ij = (X_ij - X_ji)/2, D and G the symmetric
// and skew blocks of the Hessian, D3E[X, X, X] is
//   sum E_ijk x_i x_j x_k + 6 sum x_k (dD_ij/ds_k p_ij^2 + dG_ij/ds_k q_ij^2) + 12 T p_01 p_02 p_12 + 12 sum G'_ij,k p_ij q_ik
//   q_jk
// with the divided differences T = (D_ik - D_jk)/(s_i - s_j), the same for all i, j, k, and G'_ij,k = (G_ik - G_jk)/(s_i -
// s_j). It follows from the invariance of E alone, by which the derivative along A F - F B (A, B skew) is a turn of the
// Hessian.

#include "holo/diff/tensor/principal_stretches.h"

namespace holo {

// Diagonal of U^T W V.
template <class S>
HOLO_FN HOLO_INLINE Vector3<S> stretch_rates(const SignedSvd<S>& svd, const Matrix3<S>& W) {
  const Matrix3<S> turned = W * svd.V;
  return {dot(detail::column(svd.U, 0), detail::column(turned, 0)), dot(detail::column(svd.U, 1), detail::column(turned, 1)),
          dot(detail::column(svd.U, 2), detail::column(turned, 2))};
}

namespace detail {

// Quotients of quotients divide rounding by the square of the gap: below 10 % of the mean they are integrals.
template <class S>
HOLO_FN HOLO_INLINE auto are_near_twice(const S& a, const S& b) {
  return abs(a - b) <= S(0.1) * max(S(0.5 * abs(a + b)), S(1e-3));
}

// dD_ij/ds_k for k = i, j and the third stretch l, from the gradient of the curvature: D is its mean over the exchange of i and
// j.
template <int i, int j, class S, class Gradient>
HOLO_FN HOLO_INLINE Vector3<S> mean_block_gradient(const Vector3<S>& s, const Gradient& gradient) {
  constexpr int l = 3 - i - j;
  const S middle = S(0.5) * (s[i] + s[j]), half = S(0.5) * (s[i] - s[j]);
  Vector3<S> sum{S(0.0), S(0.0), S(0.0)};
  for (int k = 0; k < 3; ++k) {
    const S node(even_nodes[k]), weight(0.25 * even_weights[k]);
    Vector3<S> t = s;
    t[i] = middle + node * half;
    t[j] = middle - node * half;
    const Vector3<S> slope = gradient(std::integral_constant<int, i>{}, std::integral_constant<int, j>{}, t);
    sum[i] = sum[i] + weight * ((S(1.0) + node) * slope[i] + (S(1.0) - node) * slope[j]);
    sum[j] = sum[j] + weight * ((S(1.0) - node) * slope[i] + (S(1.0) + node) * slope[j]);
    sum[l] = sum[l] + S(2.0) * weight * slope[l];
  }
  return sum;
}

template <int i, int j, class S, class Gradient>
HOLO_FN HOLO_INLINE Vector3<S> symmetric_block_gradient(const Vector3<S>& s, const Vector<S, 6>& h, const S& D,
                                                        const Gradient& gradient) {
  constexpr int l = 3 - i - j;
  const auto near = are_near_twice(s[i], s[j]);
  const S inverse = S(1.0) / select(near, S(1.0), S(s[i] - s[j]));
  Vector3<S> result{};
  result[i] = (h[stretch_index[i][i]] - h[stretch_index[i][j]] - D) * inverse;
  result[j] = (h[stretch_index[i][j]] - h[stretch_index[j][j]] + D) * inverse;
  result[l] = (h[stretch_index[i][l]] - h[stretch_index[j][l]]) * inverse;
  if (!any(near)) return result;
  const Vector3<S> mean = mean_block_gradient<i, j>(s, gradient);
  for (int k = 0; k < 3; ++k) result[k] = select(near, mean[k], result[k]);
  return result;
}

template <int i, int j, class S>
HOLO_FN HOLO_INLINE Vector3<S> skew_block_gradient(const Vector3<S>& s, const Vector<S, 6>& h, const S& G) {
  const S inverse = S(1.0) / kept_from_zero(S(s[i] + s[j]));
  Vector3<S> result{};
  for (int k = 0; k < 3; ++k) {
    const S own = k == i || k == j ? G : S(0.0);
    result[k] = (h[stretch_index[i][k]] + h[stretch_index[j][k]] - own) * inverse;
  }
  return result;
}

// T, by the two stretches that are farthest apart, 0 and 2. Where those are near, all are: the mean of (d/ds_0 - d/ds_2) D_01
// over the exchange of 0 and 2.
template <class S, class Gradient>
HOLO_FN HOLO_INLINE S third_difference(const Vector3<S>& s, const Vector3<S>& D, const Gradient& gradient) {
  const auto near = are_near_twice(s[0], s[2]);
  const S quotient = (D[0] - D[2]) / select(near, S(1.0), S(s[0] - s[2]));
  if (!any(near)) return quotient;
  const S middle = S(0.5) * (s[0] + s[2]), half = S(0.5) * (s[0] - s[2]);
  S sum(0.0);
  for (int k = 0; k < 6; ++k) {
    const S node(k < 3 ? even_nodes[k] : -even_nodes[k - 3]);
    const Vector3<S> t{middle + node * half, s[1], middle - node * half};
    const Vector3<S> slope = mean_block_gradient<0, 1>(t, gradient);
    sum = sum + S(0.5 * even_weights[k % 3]) * (slope[0] - slope[2]);
  }
  return select(near, sum, quotient);
}

// A symmetric form in the coordinates x_0, x_1, x_2, p_01, p_02, p_12, q_01, q_02, q_12.
template <class S>
struct AxisForm {
  S entries[9][9];
  HOLO_FN HOLO_INLINE void set(int a, int b, const S& value) { entries[a][b] = entries[b][a] = value; }
};

// With k the third index of a pair (i, j): the pairs of (i, k) and (j, k), and the sign of q_ik q_jk in the q of ordered pairs.
inline constexpr int other_first[3] = {1, 0, 0}, other_second[3] = {2, 2, 1};
inline constexpr double other_sign[3] = {1, -1, 1};

// L^T N L with the rows of L the coordinates as functions of dF.
template <class S, class Store>
HOLO_FN HOLO_INLINE void store_form(const SignedSvd<S>& svd, const AxisForm<S>& form, const Store& store) {
  S rows[9][9];  // [coordinate][entry of F]
  for (int entry = 0; entry < 9; ++entry) {
    const int a = entry / 3, A = entry % 3;
    for (int i = 0; i < 3; ++i) rows[i][entry] = svd.U(a, i) * svd.V(A, i);
    for (int pair = 0; pair < 3; ++pair) {
      const int i = pair_first[pair], j = pair_second[pair];
      const S one = svd.U(a, i) * svd.V(A, j), two = svd.U(a, j) * svd.V(A, i);
      rows[3 + pair][entry] = S(0.5) * (one + two);
      rows[6 + pair][entry] = S(0.5) * (one - two);
    }
  }
  for (int column = 0; column < 9; ++column) {
    S half[9];
    for (int a = 0; a < 9; ++a) {
      half[a] = form.entries[a][0] * rows[0][column];
      for (int b = 1; b < 9; ++b) half[a] = half[a] + form.entries[a][b] * rows[b][column];
    }
    for (int row = 0; row <= column; ++row) {
      S sum = rows[0][row] * half[0];
      for (int a = 1; a < 9; ++a) sum = sum + rows[a][row] * half[a];
      store(upper_index<9>(row, column), sum);
    }
  }
}

}  // namespace detail

// store(k, value) takes entry k of the upper half by rows of the 9x9 matrix, F row-major.
template <class S, class Gradient, class Curvature, class Store>
HOLO_FN HOLO_INLINE void spectral_hessian_differential(const SignedSvd<S>& svd, const Matrix3<S>& W, const Vector3<S>& g,
                                                       const Vector<S, 6>& h, const Vector<S, 6>& h_rate,
                                                       const Gradient& curvature_gradient, const Curvature& curvature,
                                                       const Store& store) {
  const Vector3<S>& s = svd.stretches;
  const StretchBlocks<S> blocks = stretch_blocks(s, g, h, curvature);
  const Matrix3<S> turned = transpose(svd.U) * W * svd.V;
  const S third = detail::third_difference(s, blocks.symmetric, curvature_gradient);
  detail::AxisForm<S> form{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) form.set(i, j, h_rate[detail::stretch_index[i][j]]);
  S p[3], q[3];
  for (int pair = 0; pair < 3; ++pair) {
    const int i = detail::pair_first[pair], j = detail::pair_second[pair];
    p[pair] = S(0.5) * (turned(i, j) + turned(j, i));
    q[pair] = S(0.5) * (turned(i, j) - turned(j, i));
  }
  detail::unroll<3>([&](auto pair) HOLO_INLINE_LAMBDA {
    constexpr int i = detail::pair_first[pair], j = detail::pair_second[pair], k = 3 - i - j;
    constexpr int ik = detail::other_first[pair], jk = detail::other_second[pair];
    const Vector3<S> D = detail::symmetric_block_gradient<i, j>(s, h, blocks.symmetric[pair], curvature_gradient);
    const Vector3<S> G = detail::skew_block_gradient<i, j>(s, h, blocks.skew[pair]);
    S along_symmetric(0.0), along_skew(0.0);
    for (int l = 0; l < 3; ++l) {
      along_symmetric = along_symmetric + D[l] * turned(l, l);
      along_skew = along_skew + G[l] * turned(l, l);
      form.set(l, 3 + pair, S(2.0) * D[l] * p[pair]);
      form.set(l, 6 + pair, S(2.0) * G[l] * q[pair]);
    }
    form.set(3 + pair, 3 + pair, S(2.0) * along_symmetric);
    form.set(6 + pair, 6 + pair, S(2.0) * along_skew);
    form.set(3 + ik, 3 + jk, S(2.0) * third * p[pair]);
    // (G_ik - G_jk)/(s_i - s_j) without its quotient
    const S mean_slope = S(0.5) * (g[i] + g[j]) + g[k], mean = S(0.5) * (s[i] + s[j]) + s[k];
    const S product = detail::kept_from_zero(S(s[i] + s[k])) * detail::kept_from_zero(S(s[j] + s[k]));
    const S skew = S(2.0 * detail::other_sign[pair]) * (blocks.symmetric[pair] * mean - mean_slope) / product;
    form.set(6 + ik, 6 + jk, skew * p[pair]);
    form.set(3 + pair, 6 + ik, skew * q[jk]);
    form.set(3 + pair, 6 + jk, skew * q[ik]);
  });
  detail::store_form(svd, form, store);
}

}  // namespace holo
