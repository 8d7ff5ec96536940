#pragma once
// Contractions of the fourth derivative of an energy of the principal stretches with respect to the deformation gradient.
//
//   StretchFourthOrder<S> fourth = stretch_fourth_order(svd.stretches, gradient, hessian);     // once for a deformation
//   Matrix3<S> Q = fourth_order_contraction(svd, fourth, directions);                          // d4E/dF4 [D1, D2, D3, .]
//
// No singular vector is differentiated. In the principal axes U^T F V is diag(s) with a nilpotent number for each direction,
// and its polar decomposition R S follows unit by unit (holo/diff/tensor/polar_decomposition.h has the recursion for other
// scalars). The energy is then one of the eigenvalues of S, the diagonal of which are stretches s_i that carry directions; its
// entries x_01, x_02, x_12 beside the diagonal have no real part, so that four terms of their series suffice:
//
//   E(S) = E(s) + sum_(ij) D_ij x_ij^2 + 2 G x_01 x_02 x_12 + sum_(ij) Q_ij x_ij^4 + sum_i K_i x_ij^2 x_ik^2 + ...
//
//   D_ij = (g_i - g_j)/(s_i - s_j)                       g = dE/ds
//   G    = (D_01 - D_12)/(s_0 - s_2)                     the same for any two pairs with one stretch in common
//   Q_ij = (d_i - d_j) D_ij / (2 (s_i - s_j))            d_i = d/ds_i
//   K_i  = ((d_i - d_j) D_ik - G)/(s_i - s_j)            the same with j and k exchanged
//
// For E = sum f(s_i) these are the divided differences f'[ij], f'[012], f'[iijj]/2 and f'[iijk] of the perturbation theory of
// symmetric matrices [Kato1995]. A quotient of near stretches is a mean over the points between them.

#include "holo/diff/scalars/compact_jet.h"
#include "holo/diff/scalars/jet.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/tensor/principal_stretches.h"

namespace holo {

template <class S>
struct StretchFourthOrder {
  Vector3<S> gradient;                  // g
  Vector<CompactJet<3, S>, 6> hessian;  // dg/ds, the upper half by rows, with its derivatives in the stretches
  CompactJet<3, S> pair[3];             // D_01, D_02, D_12 with their derivatives in the stretches
  Jet<1, 3, S> triple;                  // G
  S square[3];                          // Q_01, Q_02, Q_12
  S product[3];                         // K_0, K_1, K_2
};

namespace detail {

inline constexpr int pair_index[3][3] = {{-1, 0, 1}, {0, -1, 2}, {1, 2, -1}};

// The functions of an energy, and the quantities above at any stretches. Not inlined: GCC takes long over the whole in one
// function. One pair serves for all, since the energy is symmetric in its arguments.
template <class S, class Gradient, class Hessian>
struct FourthOrderTerms {
  using Pair = CompactJet<3, S>;
  using Triple = Jet<1, 3, S>;
  const Gradient& gradient;
  const Hessian& hessian;

  __attribute__((noinline)) Vector<Pair, 6> at_variables(const Vector3<S>& s) const {
    return hessian(Vector3<Pair>{Pair::variable(0, s[0]), Pair::variable(1, s[1]), Pair::variable(2, s[2])});
  }
  // The second derivative along e_0 - e_1.
  __attribute__((noinline)) Pair curvature(const Vector3<Pair>& t) const {
    const Vector<Pair, 6> h = hessian(t);
    return h[0] + h[3] - (h[1] + h[1]);
  }
  // g_a - g_b of the first two of the stretches i, j, k, from g and the jets of its derivatives.
  __attribute__((noinline)) Pair slope_difference(const Vector3<S>& g, const Vector<Pair, 6>& h, int i, int j, int k) const {
    const int variable[3] = {i, j, k};
    Pair result(S(g[0] - g[1]));
    for (int q = 0; q < 3; ++q) {
      const Pair& first = h[stretch_index[0][q]];
      const Pair& second = h[stretch_index[1][q]];
      result.set_gradient(variable[q], first.value() - second.value());
      for (int l = 0; l < 3; ++l) result.set_hessian(variable[q], l, first.gradient(l) - second.gradient(l));
    }
    return result;
  }
  // D of the pair (i, j), with its derivatives in the stretches: as symmetric_block(), of which GCC 12 fails to compile all
  // three points in one function.
  __attribute__((noinline)) Pair pair(const Vector3<S>& s, int i, int j) const {
    const int k = 3 - i - j;
    const Vector3<Pair> t{Pair::variable(i, s[i]), Pair::variable(j, s[j]), Pair::variable(k, s[k])};
    const auto is_near = are_near(s[i], s[j], near_gap_of_third_order);
    Pair result(S(0.0));
    if (!all(is_near)) {
      const Pair difference = slope_difference(gradient(Vector3<S>{s[i], s[j], s[k]}), hessian(t), i, j, k);
      result = difference / select(is_near, Pair(S(1.0)), Pair(t[0] - t[1]));
    }
    if (!any(is_near)) return result;
    const Pair middle = half_of(Pair(t[0] + t[1])), half = half_of(Pair(t[0] - t[1]));
    Pair mean(S(0.0));
    for (int node = 0; node < 3; ++node) {
      const Pair offset = scaled(even_nodes[node], half);
      mean = mean + scaled(0.5 * even_weights[node], curvature({middle + offset, middle - offset, t[2]}));
    }
    return select(is_near, mean, result);
  }
  static Pair scaled(double factor, const Pair& number) {
    return number.map([factor](const S& entry) { return S(S(factor) * entry); });
  }
  static Pair half_of(const Pair& number) { return scaled(0.5, number); }

  // visit(weight, position, t) for six points between (s_i, s_j), at the position 1, and (s_j, s_i), at -1; the weights add up
  // to 1.
  template <class Visit>
  static void for_each_exchange(const Vector3<S>& s, int i, int j, const Visit& visit) {
    const S middle = S(0.5) * (s[i] + s[j]), half = S(0.5) * (s[i] - s[j]);
    for (int node = 0; node < 6; ++node) {
      const double position = (node < 3 ? 1.0 : -1.0) * even_nodes[node % 3];
      Vector3<S> t = s;
      t[i] = middle + S(position) * half;
      t[j] = middle - S(position) * half;
      visit(0.5 * even_weights[node % 3], position, t);
    }
  }
  // (d_i - d_j)^2 of a jet.
  static S second_difference(const Pair& jet, int i, int j) {
    return jet.hessian(i, i) - S(2.0) * jet.hessian(i, j) + jet.hessian(j, j);
  }

  // Q of the pair: for near stretches a quarter of the mean of (d_i - d_j)^2 D between them.
  __attribute__((noinline)) S square(const Vector3<S>& s, const Pair& D, int i, int j) const {
    const auto is_near = are_near(s[i], s[j], near_gap_of_third_order);
    const S quotient = S(0.5) * (D.gradient(i) - D.gradient(j)) / select(is_near, S(1.0), S(s[i] - s[j]));
    if (!any(is_near)) return quotient;
    S mean(0.0);
    for_each_exchange(s, i, j, [&](double weight, double position, const Vector3<S>& t) {
      if (position > 0) mean = mean + S(2 * weight) * second_difference(pair(t, i, j), i, j);  // D is even in s_i - s_j
    });
    return select(is_near, S(S(0.25) * mean), quotient);
  }

  // G and its slopes; for three near stretches the mean of (d_0 - d_2) D_01 between (s_0, s_2) and (s_2, s_0).
  __attribute__((noinline)) Triple triple(const Vector3<S>& s, const Pair (&D)[3]) const {
    const auto is_near = are_near(s[0], s[2], near_gap_of_third_order);
    Triple difference(S(D[0].value() - D[2].value())), gap(select(is_near, S(1.0), S(s[0] - s[2])));
    for (int k = 0; k < 3; ++k) difference.set_gradient(k, D[0].gradient(k) - D[2].gradient(k));
    gap.set_gradient(0, S(1.0));
    gap.set_gradient(2, S(-1.0));
    const Triple quotient = difference / gap;
    if (!any(is_near)) return quotient;
    Triple mean(S(0.0));
    for_each_exchange(s, 0, 2, [&](double weight, double position, const Vector3<S>& t) {
      const Pair here = pair(t, 0, 1);
      const S scale(weight), toward(0.5 * (1 + position)), away(0.5 * (1 - position));
      S slope[3];  // of (d_0 - d_2) D_01, in t
      for (int k = 0; k < 3; ++k) slope[k] = here.hessian(0, k) - here.hessian(2, k);
      Triple term(S(scale * (here.gradient(0) - here.gradient(2))));
      term.set_gradient(0, scale * (toward * slope[0] + away * slope[2]));
      term.set_gradient(1, scale * slope[1]);
      term.set_gradient(2, scale * (away * slope[0] + toward * slope[2]));
      mean = mean + term;
    });
    return Triple::zip(mean, quotient, [&](const S& a, const S& b) { return select(is_near, a, b); });
  }

  // K of stretch i by the stretch that is farther from it; for three near ones half of the mean of
  // (1 + position) (d_i - d_j)^2 D_ik between s_i and s_j.
  __attribute__((noinline)) S product(const Vector3<S>& s, const Pair (&D)[3], const S& G, int i) const {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const auto by = [&](int a, int b) {
      const Pair& across = D[pair_index[i][b]];
      const S gap = s[i] - s[a];
      return S((across.gradient(i) - across.gradient(a) - G) / select(gap == S(0.0), S(1.0), gap));
    };
    const S quotient = select(abs(S(s[i] - s[j])) < abs(S(s[i] - s[k])), by(k, j), by(j, k));
    const auto all_near = are_near(s[0], s[2], near_gap_of_third_order);  // stretches are sorted
    if (!any(all_near)) return quotient;
    S mean(0.0);
    for_each_exchange(s, i, j, [&](double weight, double position, const Vector3<S>& t) {
      mean = mean + S(0.5 * weight * (1 + position)) * second_difference(pair(t, i, k), i, j);
    });
    return select(all_near, mean, quotient);
  }
};

}  // namespace detail

// gradient(t) of the energy at stretches over S, and hessian(t), the upper half by rows, over CompactJet<3, S>.
template <class S, class Gradient, class Hessian>
StretchFourthOrder<S> stretch_fourth_order(const Vector3<S>& s, const Gradient& gradient, const Hessian& hessian) {
  const detail::FourthOrderTerms<S, Gradient, Hessian> terms{gradient, hessian};
  StretchFourthOrder<S> result{};
  result.gradient = gradient(s);
  result.hessian = terms.at_variables(s);
  for (int pair = 0; pair < 3; ++pair) {
    const int i = detail::pair_first[pair], j = detail::pair_second[pair];
    result.pair[pair] = terms.pair(s, i, j);
    result.square[pair] = terms.square(s, result.pair[pair], i, j);
  }
  result.triple = terms.triple(s, result.pair);
  for (int i = 0; i < 3; ++i) result.product[i] = terms.product(s, result.pair, result.triple.value(), i);
  return result;
}

namespace detail {

// The polar decomposition R S of diag(s) + sum_k A_k eps_k: R = I and S = diag(s) to begin with, then each product of units
// from those with fewer.
template <class S>
struct PolarSeries {
  Matrix3<S> rotation[8], symmetric[8];  // [mask of units]

  __attribute__((noinline)) PolarSeries(const Vector3<S>& s, const Matrix3<S> (&direction)[3]) {
    rotation[0] = identity3<S>();
    symmetric[0] = diagonal(s);
    for (const int mask : {1, 2, 4, 3, 5, 6, 7}) add(s, direction, mask);
  }

 private:
  __attribute__((noinline)) void add(const Vector3<S>& s, const Matrix3<S> (&direction)[3], int mask) {
    Matrix3<S> excess{}, G{};  // sum of R_T^T R_rest, and A less the sum of R_T S_rest, over the proper parts T of the mask
    if ((mask & (mask - 1)) == 0) G = direction[mask / 2];  // of the units 1, 2, 4
    for (int part = (mask - 1) & mask; part > 0; part = (part - 1) & mask) {
      excess = excess + transpose(rotation[part]) * rotation[mask ^ part];
      G = G - rotation[part] * symmetric[mask ^ part];
    }
    Matrix3<S>& turn = rotation[mask];  // a skew part, less half of the excess
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const S skew = G(i, j) - G(j, i) + S(0.5) * excess(i, j) * (s[j] - s[i]);
        turn(i, j) = (i == j ? S(0.0) : S(skew / kept_from_zero(S(s[i] + s[j])))) - S(0.5) * excess(i, j);
        symmetric[mask](i, j) = G(i, j) - turn(i, j) * s[j];
      }
  }
};

// One entry of a series of matrices as a number with three directions.
template <class S>
HOLO_INLINE Nilpotent<3, S> entry_of(const Matrix3<S> (&series)[8], int i, int j) {
  Nilpotent<3, S> result(series[0](i, j));
  unroll<7>([&](auto index) HOLO_INLINE_LAMBDA {
    constexpr int mask = index + 1;
    result.template set_coefficient<mask>(series[mask](i, j));
  });
  return result;
}

// dE/dS of the symmetric matrix S, whose diagonal is s in its real part, from the series above.
template <class S>
struct StressSeries {
  using N = Nilpotent<3, S>;
  N diagonal[3], beside[3];  // T_00, T_11, T_22 and T_01, T_02, T_12

  __attribute__((noinline)) StressSeries(const StretchFourthOrder<S>& fourth, const Matrix3<S> (&symmetric)[8]) {
    for (int i = 0; i < 3; ++i) {
      change_[i] = entry_of(symmetric, i, i).with_value(S(0.0));
      x_[i] = entry_of(symmetric, pair_first[i], pair_second[i]).with_value(S(0.0));
      squares_[i] = product(x_[i], x_[i]);
    }
    for (int i = 0, at = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) changes_[at++] = product(change_[i], change_[j]);
    for (int i = 0; i < 3; ++i) find_diagonal(fourth, i);
    for (int pair = 0; pair < 3; ++pair) find_beside(fourth, pair);
  }

  Matrix3<S> matrix(int mask) const {
    Matrix3<S> T{};
    for (int i = 0; i < 3; ++i) {
      T(i, i) = diagonal[i].coefficient(mask);
      T(pair_first[i], pair_second[i]) = T(pair_second[i], pair_first[i]) = beside[i].coefficient(mask);
    }
    return T;
  }

 private:
  __attribute__((noinline)) static N product(const N& a, const N& b) { return a * b; }
  static N scaled(const S& factor, const N& number) {
    return number.map([&](const S& coefficient) { return S(factor * coefficient); });
  }
  // f + a sum_k df/ds_k change_k + b sum_kl d2f/ds_k ds_l change_k change_l
  __attribute__((noinline)) N taylor(const CompactJet<3, S>& f, double a, double b) const {
    N result(f.value());
    for (int k = 0, at = 0; k < 3; ++k) {
      result = result + scaled(S(a) * f.gradient(k), change_[k]);
      for (int l = k; l < 3; ++l) result = result + scaled(S(k == l ? b : 2 * b) * f.hessian(k, l), changes_[at++]);
    }
    return result;
  }
  // The series of g_i, and the slopes of D and G along s_i.
  __attribute__((noinline)) void find_diagonal(const StretchFourthOrder<S>& fourth, int i) {
    N sum(fourth.gradient[i]);
    for (int j = 0; j < 3; ++j) sum = sum + product(taylor(fourth.hessian[stretch_index[i][j]], 1.0 / 2, 1.0 / 6), change_[j]);
    for (int pair = 0; pair < 3; ++pair) {
      const CompactJet<3, S>& D = fourth.pair[pair];
      N slope(D.gradient(i));
      for (int k = 0; k < 3; ++k) slope = slope + scaled(D.hessian(i, k), change_[k]);
      sum = sum + product(slope, squares_[pair]);
    }
    diagonal[i] = sum + scaled(S(2.0) * fourth.triple.gradient(i), product(product(x_[0], x_[1]), x_[2]));
  }
  __attribute__((noinline)) void find_beside(const StretchFourthOrder<S>& fourth, int pair) {
    const int i = pair_first[pair], j = pair_second[pair], with_i = pair_index[i][3 - i - j], with_j = pair_index[j][3 - i - j];
    const N D = taylor(fourth.pair[pair], 1.0, 1.0 / 2) + scaled(S(2.0) * fourth.square[pair], squares_[pair]) +
                scaled(fourth.product[i], squares_[with_i]) + scaled(fourth.product[j], squares_[with_j]);
    N G(fourth.triple.value());
    for (int k = 0; k < 3; ++k) G = G + scaled(fourth.triple.gradient(k), change_[k]);
    beside[pair] = product(D, x_[pair]) + product(G, product(x_[with_i], x_[with_j]));
  }

  N change_[3], changes_[6];  // of the stretches, and their products, upper half by rows
  N x_[3], squares_[3];       // x_01, x_02, x_12
};

}  // namespace detail

// d4E/dF4 [D1, D2, D3, .] at F = U diag(s) V^T, from what stretch_fourth_order() gives at s. As everywhere where F is inverted,
// s_i + s_j is kept from 0.
template <class S>
__attribute__((noinline)) Matrix3<S> fourth_order_contraction(const SignedSvd<S>& svd, const StretchFourthOrder<S>& fourth,
                                                              const Matrix3<S> (&directions)[3]) {
  Matrix3<S> in_axes[3];
  for (int k = 0; k < 3; ++k) in_axes[k] = transpose(svd.U) * directions[k] * svd.V;
  const detail::PolarSeries<S> polar(svd.stretches, in_axes);
  const detail::StressSeries<S> stress(fourth, polar.symmetric);
  constexpr int all_units = 7;
  Matrix3<S> result = stress.matrix(all_units);
  for (int mask = 1; mask <= all_units; ++mask) result = result + polar.rotation[mask] * stress.matrix(all_units ^ mask);
  return svd.U * result * transpose(svd.V);
}

}  // namespace holo
