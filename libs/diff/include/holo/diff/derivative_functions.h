#pragma once
// The elementary functions of numbers that carry derivatives. Included by their headers (holo/diff/nilpotent.h, ...).

#include <cmath>
#include <numeric>

#include "holo/diff/derivative_number.h"
#include "holo/diff/derivative_sequences.h"
#include "holo/diff/removable_singularities.h"

namespace holo {
namespace detail {

template <class N>
concept PrefersRecurrences = requires {
  requires N::prefers_recurrences;
};
// Of a number that does: holo/diff/taylor_recurrences.h.
template <class N>
struct Recurrences;

}  // namespace detail

#define HOLO_UNARY(name)                                              \
  template <DerivativeNumber N>                                       \
  HOLO_INLINE constexpr typename N::Full name(const N& x) {           \
    return x.compose(detail::name##_sequence<N::order>(x.value()).d); \
  }
// With a shorter way for long series (holo/diff/taylor_recurrences.h).
#define HOLO_UNARY_OR_RECURRENCE(name)                                  \
  template <DerivativeNumber N>                                         \
  HOLO_INLINE constexpr typename N::Full name(const N& x) {             \
    if constexpr (detail::PrefersRecurrences<N>)                        \
      return detail::Recurrences<typename N::Full>::name##_of(x);       \
    else                                                                \
      return x.compose(detail::name##_sequence<N::order>(x.value()).d); \
  }
HOLO_UNARY_OR_RECURRENCE(sqrt)
HOLO_UNARY_OR_RECURRENCE(cbrt)
HOLO_UNARY_OR_RECURRENCE(exp)
HOLO_UNARY_OR_RECURRENCE(expm1)
HOLO_UNARY_OR_RECURRENCE(log)
HOLO_UNARY_OR_RECURRENCE(log1p)
HOLO_UNARY_OR_RECURRENCE(sin)
HOLO_UNARY_OR_RECURRENCE(cos)
HOLO_UNARY_OR_RECURRENCE(tan)
HOLO_UNARY_OR_RECURRENCE(asin)
HOLO_UNARY_OR_RECURRENCE(acos)
HOLO_UNARY_OR_RECURRENCE(atan)
HOLO_UNARY_OR_RECURRENCE(sinh)
HOLO_UNARY_OR_RECURRENCE(cosh)
HOLO_UNARY_OR_RECURRENCE(tanh)
HOLO_UNARY(sinc)
HOLO_UNARY(sinhc)
HOLO_UNARY(one_minus_cos_over_square)
HOLO_UNARY_OR_RECURRENCE(erf)
#undef HOLO_UNARY
#undef HOLO_UNARY_OR_RECURRENCE

// The three with a removable singularity for plain numbers too.
template <class B>
requires(!DerivativeNumber<B>) constexpr B sinc(const B& x) { return detail::sinc_sequence<0>(x).d[0]; }
template <class B>
requires(!DerivativeNumber<B>) constexpr B sinhc(const B& x) { return detail::sinhc_sequence<0>(x).d[0]; }
template <class B>
requires(!DerivativeNumber<B>) constexpr B one_minus_cos_over_square(const B& x) {
  return detail::one_minus_cos_over_square_sequence<0>(x).d[0];
}

// By multiplication of the whole number: exact at 0, right for negative bases; 0^0 = 1.
template <DerivativeNumber N>
HOLO_INLINE constexpr typename N::Full pow(const N& x, int exponent) {
  using Full = typename N::Full;
  if constexpr (requires { N::along_a_line; })
    return x.compose(detail::integer_power_sequence<N::order>(x.value(), exponent).d);
  unsigned left = exponent < 0 ? 0u - unsigned(exponent) : unsigned(exponent);
  if (left == 0) return Full(1.0);
  Full power = x;
  for (; (left & 1u) == 0; left >>= 1) power = power * power;
  Full result = power;
  for (left >>= 1; left != 0; left >>= 1) {
    power = power * power;
    if (left & 1u) result = result * power;
  }
  return exponent < 0 ? Full(1.0 / result) : result;
}

// x^p for x > 0; not finite at 0 and below, unless p is an integer, which takes the product.
template <DerivativeNumber N, std::floating_point T>
HOLO_INLINE constexpr typename N::Full pow(const N& x, T exponent) {
  const double p = exponent;
  constexpr double largest_product = 1 << 16;  // beyond, the rounding of the products is worse than pow's
  if (p >= -largest_product && p <= largest_product && p == double(int(p))) return pow(x, int(p));
  const typename N::Real value = pow(x.value(), p);
  if constexpr (detail::PrefersRecurrences<N>)
    return detail::Recurrences<typename N::Full>::power_of(x, value, p);
  else
    return x.compose(detail::power_sequence<N::order>(value, x.value(), p).d);
}

// exp(y log x), with the real part from pow, which rounds better.
template <class X, class Y>
requires detail::MixedNumbers<X, Y> && DerivativeNumber<Y> HOLO_INLINE constexpr detail::Mixed<X, Y> pow(const X& x,
                                                                                                         const Y& y) {
  using N = detail::Mixed<X, Y>;
  using Real = typename N::Real;
  Real d[N::order + 1];
  if constexpr (DerivativeNumber<X>) {
    d[0] = pow(x.value(), y.value());
    for (int k = 1; k <= N::order; ++k) d[k] = d[0];
    return (y * log(x)).compose(d);
  } else {
    const Real base = x;
    d[0] = pow(base, y.value());
    for (int k = 1; k <= N::order; ++k) d[k] = d[0];
    return (y * Real(log(base))).compose(d);
  }
}

// x^(q/m). An odd m takes the real root of a negative x: sign(x)^q |x|^(q/m).
template <int q, int m, DerivativeNumber N>
HOLO_INLINE constexpr typename N::Full rational_pow(const N& x) {
  static_assert(m > 0, "the denominator of the exponent is positive");
  constexpr int divisor = std::gcd(q, m), numerator = q / divisor, denominator = m / divisor;
  if constexpr (denominator == 1) {
    return pow(x, numerator);
  } else if constexpr (denominator == 2) {
    return pow(sqrt(x), numerator);
  } else if constexpr (denominator == 3) {
    return pow(cbrt(x), numerator);
  } else if constexpr (denominator % 2 == 0) {
    return pow(x, double(numerator) / denominator);
  } else {
    constexpr double p = double(numerator) / denominator;
    const auto& a = x.value();
    const auto root = pow(abs(a), p);
    const auto y = numerator % 2 == 0 ? root : detail::choose(a < 0.0, decltype(root)(-root), root);
    return x.compose(detail::power_sequence<N::order>(y, a, p).d);
  }
}

// In (-pi, pi]. With th0 = atan2(y0, x0), (c, s) along (x0, y0): th0 + atan((c y - s x)/(c x + s y)), whose branch cut lies in
// th0 alone. Not finite at the origin.
template <class Y, class X>
requires detail::MixedNumbers<Y, X> HOLO_INLINE constexpr detail::Mixed<Y, X> atan2(const Y& y_, const X& x_) {
  using N = detail::Mixed<Y, X>;
  using Real = typename N::Real;
  const N y = y_, x = x_;
  const Real scale = max(Real(abs(x.value())), Real(abs(y.value())));
  const Real c = x.value() / scale, s = y.value() / scale;
  const N u = (c * y - s * x) / (c * x + s * y);
  Real d[N::order + 1];  // of atan at 0: the real part of u is 0 but for rounding
  d[0] = atan2(y.value(), x.value());
  d[1] = 1.0;
  for (int k = 1; k < N::order; ++k) d[k + 1] = double(-k * (k - 1)) * d[k - 1];
  return u.compose(d);
}

namespace detail {

// Scaled by the largest part, so that nothing overflows; from operations that lanes round as numbers do.
template <class Real, class... Rest>
HOLO_INLINE constexpr Real length(const Real& x, const Rest&... rest) {
  Real scale = abs(x);
  ((scale = max(scale, Real(abs(rest)))), ...);
  const auto part = [&](const Real& y) HOLO_INLINE_LAMBDA { return Real((y / scale) * (y / scale)); };
  return scale * sqrt(Real((part(x) + ... + part(rest))));
}

}  // namespace detail

// |X| along and across the unit vector n of its real parts: (n X) sqrt(1 + |n x X|^2 / (n X)^2). The differences of nearly
// equal squares that sqrt(x^2 + y^2) has in its derivatives along X do not arise. Not finite where all real parts are 0.
template <class X, class Y>
requires detail::MixedNumbers<X, Y> HOLO_INLINE constexpr detail::Mixed<X, Y> hypot(const X& x_, const Y& y_) {
  using N = detail::Mixed<X, Y>;
  using Real = typename N::Real;
  const N x = x_, y = y_;
  const Real length = detail::length(x.value(), y.value());
  const Real c = x.value() / length, s = y.value() / length;
  const N along = (c * x + s * y).with_value(length), across = (c * y - s * x).with_value(Real(0.0) * c) / along;
  return along * sqrt(1.0 + across * across);
}
template <class X, class Y, class Z>
requires detail::MixedNumbers<X, Y, Z> HOLO_INLINE constexpr detail::Mixed<X, Y, Z> hypot(const X& x_, const Y& y_,
                                                                                          const Z& z_) {
  using N = detail::Mixed<X, Y, Z>;
  using Real = typename N::Real;
  const N x = x_, y = y_, z = z_;
  const Real length = detail::length(x.value(), y.value(), z.value());
  const Real a = x.value() / length, b = y.value() / length, c = z.value() / length;
  const N along = (a * x + b * y + c * z).with_value(length);
  const auto across = [&](const Real& p, const N& q, const Real& r, const N& s) HOLO_INLINE_LAMBDA {
    const N t = (p * q - r * s).with_value(Real(0.0) * p) / along;
    return t * t;
  };
  return along * sqrt(1.0 + across(b, z, c, y) + across(c, x, a, z) + across(a, y, b, x));
}

// abs, min, max, clamp and select take one of their arguments whole, chosen by real parts; a tie takes the right branch of abs
// and the first argument of the others, and is counted (holo/diff/kinks.h).
template <DerivativeNumber N>
HOLO_INLINE constexpr N abs(const N& x) {
  detail::count(&KinkCounters::kinks, x.value() == 0.0);
  return detail::choose(x.value() < 0.0, N(-x), x);
}

namespace detail {

template <class Condition>
HOLO_INLINE constexpr Condition either(const Condition& a, const Condition& b) {
  return a | b;
}
template <class Condition, class N>
HOLO_INLINE constexpr N choose_number(const Condition& condition, const N& a, const N& b) {
  return N::zip(a, b, [&](const auto& x, const auto& y) HOLO_INLINE_LAMBDA { return choose(condition, x, y); });
}

}  // namespace detail

template <class Condition, class A, class B>
requires detail::MixedNumbers<A, B> HOLO_INLINE constexpr detail::Mixed<A, B> select(const Condition& condition, const A& a,
                                                                                     const B& b) {
  using N = detail::Mixed<A, B>;
  if constexpr (std::same_as<Condition, bool>)
    return condition ? N(a) : N(b);
  else
    return detail::choose_number(condition, N(a), N(b));
}

// A NaN is kept, whichever argument it is.
template <class A, class B>
requires detail::MixedNumbers<A, B> HOLO_INLINE constexpr detail::Mixed<A, B> min(const A& a, const B& b) {
  using N = detail::Mixed<A, B>;
  const N x = a, y = b;
  detail::count(&KinkCounters::kinks, x == y);
  return detail::choose_number(detail::either(y < x, y != y), y, x);
}
template <class A, class B>
requires detail::MixedNumbers<A, B> HOLO_INLINE constexpr detail::Mixed<A, B> max(const A& a, const B& b) {
  using N = detail::Mixed<A, B>;
  const N x = a, y = b;
  detail::count(&KinkCounters::kinks, x == y);
  return detail::choose_number(detail::either(x < y, y != y), y, x);
}
template <class X, class L, class H>
requires detail::MixedNumbers<X, L, H> HOLO_INLINE constexpr detail::Mixed<X, L, H> clamp(const X& x, const L& low,
                                                                                          const H& high) {
  using N = detail::Mixed<X, L, H>;
  return min(max(N(x), N(low)), N(high));
}

// Piecewise constant: the value without derivatives, also at a step, where a jump is counted.
#define HOLO_STEP(name, distance_to_step)                                                  \
  template <DerivativeNumber N>                                                            \
  HOLO_INLINE typename N::Full name(const N& x) {                                          \
    const auto value = detail::each_lane(x.value(), [](const auto& y) HOLO_INLINE_LAMBDA { \
      using std::name;                                                                     \
      return name(y);                                                                      \
    });                                                                                    \
    detail::count(&KinkCounters::jumps, distance_to_step == 0.0);                          \
    return typename N::Full(value);                                                        \
  }
HOLO_STEP(floor, x.value() - value)
HOLO_STEP(ceil, x.value() - value)
HOLO_STEP(round, abs(x.value() - value) - 0.5)
#undef HOLO_STEP

// -1, 0 or 1; NaN for NaN.
template <DerivativeNumber N>
HOLO_INLINE constexpr typename N::Full sign(const N& x) {
  using Real = typename N::Real;
  const Real& a = x.value();
  detail::count(&KinkCounters::jumps, a == 0.0);
  return typename N::Full(detail::choose(a > 0.0, Real(1.0), detail::choose(a < 0.0, Real(-1.0), a)));
}

}  // namespace holo
