#pragma once
// Functions that complex and multicomplex numbers share. Their units have the square -1, a function is perturbed along them by
// a step h, and all powers of h are computed. They are slower than nilpotent numbers (holo/diff/scalars/nilpotent.h) and give
// the same results at regular points; they serve the comparisons of [Luo2019] and the full step at singular points.
//
// min, max, abs, select, comparisons and steps depend on real parts and are those of holo/diff/derivative_functions.h.

#include <limits>

#include "holo/diff/derivative_functions.h"
#include "holo/diff/singular/removable_singularities.h"

namespace holo {

// The power of two next to the 1e-40 of [Luo2019], so that dividing by step^n is exact, for n <= 7 in double.
inline constexpr double complex_step = 0x1p-133;

template <class T>
concept ComplexStepNumber = DerivativeNumber<T> && detail::InFullArithmetic<T>;

namespace detail {

template <class... T>
concept MixedComplexStepNumbers = MixedNumbers<T...> && ComplexStepNumber<Mixed<T...>>;

}  // namespace detail

// th0 + atan((c y - s x)/(c x + s y)): the branch cut lies in th0 alone. Not finite where both real parts are 0.
template <class Y, class X>
requires detail::MixedComplexStepNumbers<Y, X> HOLO_INLINE constexpr detail::Mixed<Y, X> atan2(const Y& y_, const X& x_) {
  using N = detail::Mixed<Y, X>;
  using Real = typename N::Real;
  const N y = y_, x = x_;
  const Real length = detail::length(x.value(), y.value());
  const Real c = x.value() / length, s = y.value() / length;
  return Real(atan2(y.value(), x.value())) + atan((c * y - s * x) / (c * x + s * y));
}

// Scaled by the largest coefficient, so that nothing overflows and powers of the step do not vanish.
template <class X, class... Y>
requires(sizeof...(Y) >= 1 && sizeof...(Y) <= 2 && detail::MixedComplexStepNumbers<X, Y...>) HOLO_INLINE
    constexpr detail::Mixed<X, Y...> hypot(const X& x, const Y&... y) {
  using N = detail::Mixed<X, Y...>;
  using Real = typename N::Real;
  Real scale = N(x).largest();
  ((scale = max(scale, N(y).largest())), ...);
  const auto part = [&](const N& z) HOLO_INLINE_LAMBDA { return (z / scale) * (z / scale); };
  return scale * sqrt((part(N(x)) + ... + part(N(y))));
}

// exp(y log x).
template <class X, class Y>
requires(detail::MixedComplexStepNumbers<X, Y>&& DerivativeNumber<Y>) HOLO_INLINE
    constexpr detail::Mixed<X, Y> pow(const X& x, const Y& y) {
  if constexpr (DerivativeNumber<X>) {
    return exp(y * log(x));
  } else {
    using Real = typename Y::Real;
    if (Real(x) == Real(0.0) && y.value() > Real(0.0)) return detail::Mixed<X, Y>(0.0);  // 0^y is 0 for all y > 0
    return exp(y * Real(log(Real(x))));
  }
}

template <ComplexStepNumber N, std::floating_point T>
HOLO_INLINE constexpr N pow(const N& x, T exponent) {
  constexpr T largest_product = 1 << 16;
  if (exponent >= -largest_product && exponent <= largest_product && exponent == T(int(exponent))) return pow(x, int(exponent));
  return real_power(x, typename N::Real(exponent));
}

// x^(q/m). An odd m takes the root that is real for a negative real x.
template <int q, int m, ComplexStepNumber N>
HOLO_INLINE constexpr N rational_pow(const N& x) {
  static_assert(m > 0, "the denominator of the exponent is positive");
  constexpr int divisor = std::gcd(q, m), numerator = q / divisor, denominator = m / divisor;
  using Real = typename N::Real;
  if constexpr (denominator == 1) {
    return pow(x, numerator);
  } else if constexpr (denominator == 2) {
    return pow(sqrt(x), numerator);
  } else {
    const bool reflected = denominator % 2 != 0 && x.value() < 0.0;
    const N root = real_power(reflected ? N(-x) : x, Real(numerator) / Real(denominator));
    return reflected && numerator % 2 != 0 ? N(-root) : root;
  }
}

namespace detail {

// sum_j sign^j z^(2j) / (2j + shift)! to the last digit of every coefficient.
template <class N>
HOLO_FN constexpr N even_power_series(const N& z, int shift, double sign) {
  using Real = typename N::Real;
  const N square = Real(sign) * (z * z);
  Real first = Real(1.0);
  for (int i = 2; i <= shift; ++i) first = first / Real(i);
  N term(first), sum = term;
  for (int j = 0; j < 60; ++j) {
    term = term * square / Real((2 * j + shift + 1) * (2 * j + shift + 2));
    const N next = sum + term;
    if (next.same_as(sum)) break;
    sum = next;
  }
  return sum;
}

template <class N>
HOLO_INLINE constexpr bool is_small(const N& z, double radius = 3.0) {
  return z.largest() < typename N::Real(radius);
}

}  // namespace detail

template <ComplexStepNumber N>
HOLO_FN constexpr N sinc(const N& z) {
  return detail::is_small(z) ? detail::even_power_series(z, 1, -1) : N(sin(z) / z);
}
template <ComplexStepNumber N>
HOLO_FN constexpr N sinhc(const N& z) {
  return detail::is_small(z) ? detail::even_power_series(z, 1, 1) : N(sinh(z) / z);
}
template <ComplexStepNumber N>
HOLO_FN constexpr N one_minus_cos_over_square(const N& z) {
  using Real = typename N::Real;
  if (detail::is_small(z, detail::one_minus_cos_series_radius)) return detail::even_power_series(z, 2, -1);
  const N s = sin(Real(0.5) * z);
  return Real(2.0) * s * s / (z * z);
}

}  // namespace holo
