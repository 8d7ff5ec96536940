#pragma once
// Functions of the positions of a contact pair with their first and second derivatives, over a scalar S: double, or
// Nilpotent<1>, whose derivative along a direction of the positions makes directional Hessians of the same code.

#include <array>

#include "holo/diff/scalars/nilpotent.h"
#include "holo/sim/contact/pairs/pair_distance.h"

namespace holo::pairs {

template <class S>
struct FirstOrder {
  S value;
  S gradient[12];
};
template <class S>
struct SecondOrder {
  S value;
  S gradient[12];
  S hessian[12][12];  // symmetric
};

// A function of one number with its derivatives of orders 0 to 3 at a point.
using ScalarSeries = std::array<double, 4>;

// The derivative of order k at a point s of which the series is that of the real part.
inline double derivative_at(const ScalarSeries& f, std::size_t k, double) { return f[k]; }
inline Nilpotent<1> derivative_at(const ScalarSeries& f, std::size_t k, const Nilpotent<1>& s) { return s.compose(&f[k]); }

// Positions of the nodes 0, 2, 3 ... relative to node 1, all in the order of `nodes`.
template <int count, class S>
HOLO_INLINE void relative_positions(const S* x, const int* nodes, S* z) {
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < 3; ++i) z[3 * k + i] = x[3 * nodes[k == 0 ? 0 : k + 1] + i] - x[3 * nodes[1] + i];
}

// A gradient in relative positions as one in positions: that of node 1 is the negative sum of the others. `to` is 0 before.
template <int count, class S>
HOLO_INLINE void spread_gradient(const S* gradient, const int* nodes, S* to) {
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < 3; ++i) {
      to[3 * nodes[k == 0 ? 0 : k + 1] + i] = gradient[3 * k + i];
      to[3 * nodes[1] + i] = to[3 * nodes[1] + i] - gradient[3 * k + i];
    }
}

// The same of a Hessian, given as its upper half by rows.
template <int count, class S>
HOLO_INLINE void spread_hessian(const S* upper, const int* nodes, S (*to)[12]) {
  int row[3 * count];
  for (int k = 0; k < 3 * count; ++k) row[k] = 3 * nodes[k < 3 ? 0 : k / 3 + 1] + k % 3;
  for (int k = 0; k < 3 * count; ++k)
    for (int l = k; l < 3 * count; ++l) to[row[k]][row[l]] = to[row[l]][row[k]] = *upper++;
  const int base = 3 * nodes[1];
  for (int k = 0; k < 3 * count; ++k)
    for (int j = 0; j < 3; ++j) {
      S sum = S(0.0);
      for (int l = j; l < 3 * count; l += 3) sum = sum - to[row[k]][row[l]];
      to[row[k]][base + j] = to[base + j][row[k]] = sum;
    }
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      S sum = S(0.0);
      for (int l = j; l < 3 * count; l += 3) sum = sum - to[base + i][row[l]];
      to[base + i][base + j] = to[base + j][base + i] = sum;
    }
}

// f(inner).
template <class S>
FirstOrder<S> compose(const ScalarSeries& f, const FirstOrder<S>& inner) {
  const S slope = derivative_at(f, 1, inner.value);
  FirstOrder<S> result;
  result.value = derivative_at(f, 0, inner.value);
  for (int i = 0; i < 12; ++i) result.gradient[i] = slope * inner.gradient[i];
  return result;
}
template <class S>
SecondOrder<S> compose(const ScalarSeries& f, const SecondOrder<S>& inner) {
  const S slope = derivative_at(f, 1, inner.value), curvature = derivative_at(f, 2, inner.value);
  SecondOrder<S> result;
  result.value = derivative_at(f, 0, inner.value);
  for (int i = 0; i < 12; ++i) {
    result.gradient[i] = slope * inner.gradient[i];
    const S scaled = curvature * inner.gradient[i];
    for (int j = 0; j < 12; ++j) result.hessian[i][j] = scaled * inner.gradient[j] + slope * inner.hessian[i][j];
  }
  // Products in another order have another last bit.
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < i; ++j) result.hessian[i][j] = result.hessian[j][i];
  return result;
}

// a b.
template <class S>
FirstOrder<S> product(const FirstOrder<S>& a, const FirstOrder<S>& b) {
  FirstOrder<S> result;
  result.value = a.value * b.value;
  for (int i = 0; i < 12; ++i) result.gradient[i] = a.value * b.gradient[i] + b.value * a.gradient[i];
  return result;
}
template <class S>
SecondOrder<S> product(const SecondOrder<S>& a, const SecondOrder<S>& b) {
  SecondOrder<S> result;
  result.value = a.value * b.value;
  for (int i = 0; i < 12; ++i) {
    result.gradient[i] = a.value * b.gradient[i] + b.value * a.gradient[i];
    for (int j = i; j < 12; ++j)
      result.hessian[i][j] = result.hessian[j][i] =
          a.value * b.hessian[i][j] + b.value * a.hessian[i][j] + a.gradient[i] * b.gradient[j] + a.gradient[j] * b.gradient[i];
  }
  return result;
}

// x + t y.
inline std::array<Nilpotent<1>, 12> along(const PairVector& x, const PairVector& y) {
  std::array<Nilpotent<1>, 12> result;
  for (int i = 0; i < 12; ++i) result[static_cast<std::size_t>(i)] = Nilpotent<1>::seed(x[i], {y[i]});
  return result;
}

inline PairGradient result_of(const FirstOrder<double>& f) { return {f.value, PairVector(f.gradient)}; }
inline PairHessian result_of(const SecondOrder<double>& f) {
  return {f.value, PairVector(f.gradient), PairMatrix(&f.hessian[0][0])};
}
inline PairMatrix directional_hessian_of(const SecondOrder<Nilpotent<1>>& f) {
  PairMatrix result;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) result(i, j) = f.hessian[i][j].derivative();
  return result;
}

}  // namespace holo::pairs
