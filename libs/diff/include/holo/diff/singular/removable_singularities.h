#pragma once
// sin(x)/x, (1 - cos x)/x^2 and sinh(x)/x with their derivatives, smooth at 0, for plain numbers. Rotation exponentials need
// them. Near 0 they are even power series, elsewhere closed forms differentiated by Leibniz' rule, e.g. x f^(k) + k f^(k-1) =
// sin^(k).

#include <array>

#include "holo/diff/scalars/derivative_sequences.h"

namespace holo::detail {

// Series up to |x| = 2, for third derivatives and higher up to 3: there the closed forms do not cancel yet, and 20 terms leave
// less than 1e-30.
template <int n>
inline constexpr double series_radius = n <= 2 ? 2.0 : 3.0;
inline constexpr int series_terms = 20;
// The radius of the series of (1 - cos x)/x^2 for all orders, since a graph's derivatives use the same branch as its value. The
// closed form, with its division by x^2, cancels up to a larger |x|, and the series is accurate up to this radius: after 20
// terms the remainder of the fifth derivative is below 1e-20.
inline constexpr double one_minus_cos_series_radius = 4.0;

// sum_j sign^j x^(2j) / (2j + shift)!, the series of all three.
constexpr std::array<double, series_terms> even_series(int shift, double sign) {
  std::array<double, series_terms> c{};
  double term = 1;
  for (int i = 2; i <= shift; ++i) term /= i;
  for (int j = 0; j < series_terms; ++j) {
    c[j] = term;
    term = sign * term / ((2 * j + shift + 1) * (2 * j + shift + 2));
  }
  return c;
}

// The first n derivatives of sum_j c_j x^(2j), each by Horner's rule in x^2.
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> even_series_sequence(const std::array<double, series_terms>& c, const B& x) {
  Sequence<n, B> f{};
  const B square = x * x;
  for (int k = 0; k <= n; ++k) {
    B sum = B(0.0);
    for (int j = series_terms - 1; 2 * j >= k; --j) {
      double factor = c[j];
      for (int i = 0; i < k; ++i) factor *= 2 * j - i;
      sum = sum * square + factor;
    }
    f.d[k] = k % 2 == 0 ? sum : B(sum * x);
  }
  return f;
}

// f = g/x from the derivatives of g.
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> over_x(const Sequence<n, B>& g, const B& x) {
  Sequence<n, B> f{};
  f.d[0] = g.d[0] / x;
  for (int k = 1; k <= n; ++k) f.d[k] = (g.d[k] - double(k) * f.d[k - 1]) / x;
  return f;
}

template <int n, class B, class Closed>
HOLO_INLINE constexpr Sequence<n, B> series_or(const std::array<double, series_terms>& c, const B& x, Closed closed,
                                               double radius = series_radius<n>) {
  const auto near = abs(x) < radius;
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(near)>, bool>) {
    return near ? even_series_sequence<n>(c, x) : closed(x);
  } else {
    const Sequence<n, B> inner = even_series_sequence<n>(c, x), outer = closed(x);
    Sequence<n, B> f{};
    for (int k = 0; k <= n; ++k) f.d[k] = select(near, inner.d[k], outer.d[k]);
    return f;
  }
}

template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> sinc_sequence(const B& x) {
  constexpr auto series = even_series(1, -1);
  return series_or<n>(series, x, [](const B& y) { return over_x(sin_sequence<n>(y), y); });
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> sinhc_sequence(const B& x) {
  constexpr auto series = even_series(1, 1);
  return series_or<n>(series, x, [](const B& y) { return over_x(sinh_sequence<n>(y), y); });
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> one_minus_cos_over_square_sequence(const B& x) {
  constexpr auto series = even_series(2, -1);
  const auto closed = [](const B& y) {
    Sequence<n, B> g = circular_sequence<n>(y, 3);  // -cos
    const B s = sin(0.5 * y);
    g.d[0] = 2.0 * s * s;  // 1 - cos without its cancellation
    return over_x(over_x(g, y), y);
  };
  return series_or<n>(series, x, closed, one_minus_cos_series_radius);
}

}  // namespace holo::detail
