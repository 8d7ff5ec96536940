#pragma once
// The elementary functions of numbers that carry derivatives. Included by their headers (holo/diff/scalars/nilpotent.h, ...).

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "holo/diff/scalars/derivative_number.h"
#include "holo/diff/scalars/derivative_sequences.h"
#include "holo/diff/singular/removable_singularities.h"

namespace holo {
namespace detail {

template <class N>
concept PrefersRecurrences = requires {
  requires N::prefers_recurrences;
};
// Of a number that does: holo/diff/scalars/taylor_recurrences.h.
template <class N>
struct Recurrences;

}  // namespace detail

#define HOLO_UNARY(name)                                              \
  template <DerivativeNumber N>                                       \
  HOLO_INLINE constexpr typename N::Full name(const N& x) {           \
    return x.compose(detail::name##_sequence<N::order>(x.value()).d); \
  }
// With a shorter way for long series (holo/diff/scalars/taylor_recurrences.h).
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

namespace detail {

template <class Condition, class N>
HOLO_INLINE constexpr N choose_number(const Condition& condition, const N& a, const N& b) {
  return N::zip(a, b, [&](const auto& x, const auto& y) HOLO_INLINE_LAMBDA { return choose(condition, x, y); });
}
template <class Condition>
HOLO_INLINE constexpr Condition both(const Condition& a, const Condition& b) {
  return a & b;
}

// x^p from its value, which must not have lost digits by underflow.
template <class N>
HOLO_INLINE constexpr typename N::Full power_from_value(const N& x, const typename N::Real& value, double p) {
  if constexpr (PrefersRecurrences<N>)
    return Recurrences<typename N::Full>::power_of(x, value, p);
  else
    return x.compose(power_sequence<N::order>(value, x.value(), p).d);
}

// x^y0 exp((y - y0) log x), y0 the value of y: in exp(y log x) the derivatives along x alone would cancel, y^3 - 3 y^2 + 2 y
// instead of y (y - 1)(y - 2).
template <class N>
HOLO_INLINE constexpr N exponential_power(const N& x, const N& y) {
  using Real = typename N::Real;
  Real power[N::order + 1], ones[N::order + 1];
  power[0] = pow(x.value(), y.value());
  for (int k = 1; k <= N::order; ++k) power[k] = power[k - 1] * (y.value() - double(k - 1)) / x.value();
  for (Real& one : ones) one = Real(1.0);
  return N(x.compose(power)) * N(N(y.with_value(Real(0.0)) * log(x)).compose(ones));
}

// Where a positive power of a positive number underflows, and derivatives that are made of it with it.
template <class Real>
HOLO_INLINE constexpr auto power_is_lost(const Real& x, const Real& value) {
  constexpr double least = std::numeric_limits<double>::min();
  return both(value<least, x> 0.0);
}

// d^k/dx^k x^p L^power, L = log x, each with a power of its own: x^(p-k) (q_0 + q_1 L + ...).
template <int n, class Real, class Exponent>
constexpr Sequence<n, Real> lost_power_sequence(const Real& x, const Exponent& p, int power_of_logarithm = 0) {
  Sequence<n, Real> f{};
  const Real logarithm = log(x);
  Real q[n + 2] = {};
  q[power_of_logarithm] = 1.0;
  for (int k = 0; k <= n; ++k) {
    Real sum = q[n];
    for (int j = n - 1; j >= 0; --j) sum = sum * logarithm + q[j];
    f.d[k] = sum * pow(x, Exponent(p - double(k)));
    for (int j = 0; j <= n; ++j) q[j] = (p - double(k)) * q[j] + double(j + 1) * q[j + 1];
  }
  return f;
}
// x^y as a series in the difference of y from its value: sum over l of x^y0 L^l (y - y0)^l / l!.
template <class N>
constexpr N lost_power(const N& x, const N& y) {
  const N difference = y.with_value(typename N::Real(0.0));
  N result(0.0), factor(1.0);
  for (int l = 0; l <= N::order; ++l) {
    result = result + x.compose(lost_power_sequence<N::order>(x.value(), y.value(), l).d) * factor;
    factor = factor * difference * (1.0 / (l + 1));
  }
  return result;
}

}  // namespace detail

// x^p for x > 0; not finite at 0 and below, unless p is an integer, which takes the product.
template <DerivativeNumber N, std::floating_point T>
HOLO_INLINE constexpr typename N::Full pow(const N& x, T exponent) {
  using Full = typename N::Full;
  const double p = exponent;
  constexpr double largest_product = 1 << 16;  // beyond, the rounding of the products is worse than pow's
  if (p >= -largest_product && p <= largest_product && p == double(int(p))) return pow(x, int(p));
  const typename N::Real value = pow(x.value(), p);
  const Full result = detail::power_from_value(x, value, p);
  if (p > 1)
    if (const auto lost = detail::power_is_lost(x.value(), value); any(lost)) [[unlikely]]
      return detail::choose_number(lost, x.compose(detail::lost_power_sequence<N::order>(x.value(), p).d), result);
  return result;
}

template <class X, class Y>
requires detail::MixedNumbers<X, Y> && DerivativeNumber<Y> HOLO_INLINE constexpr detail::Mixed<X, Y> pow(const X& x_,
                                                                                                         const Y& y_) {
  using N = detail::Mixed<X, Y>;
  using Real = typename N::Real;
  if constexpr (DerivativeNumber<X>) {
    const N x = x_, y = y_, result = detail::exponential_power(x, y);
    const auto lost = detail::both(detail::power_is_lost(x.value(), result.value()), y.value() > 1.0);
    if (any(lost)) [[unlikely]]
      return detail::choose_number(lost, detail::lost_power(x, y), result);
    return result;
  } else {
    const Real base = x_;
    Real d[N::order + 1];
    d[0] = pow(base, y_.value());
    for (int k = 1; k <= N::order; ++k) d[k] = d[0];
    // 0^y is 0 for all y > 0: the logarithm does not come into it.
    const Real logarithm = log(base), factor = detail::choose(y_.value() > 0.0, Real(0.0), logarithm);
    return (y_ * detail::choose(base == 0.0, factor, logarithm)).compose(d);
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
    const typename N::Full result = x.compose(detail::power_sequence<N::order>(y, a, p).d);
    if constexpr (p > 1) {
      const typename N::Real magnitude = abs(a);
      const auto lost = detail::power_is_lost(magnitude, typename N::Real(root));
      if (any(lost)) [[unlikely]] {
        auto f = detail::lost_power_sequence<N::order>(magnitude, p);
        for (int k = 0; k <= N::order; ++k)
          if ((numerator - k) % 2 != 0) f.d[k] = detail::choose(a < 0.0, typename N::Real(-f.d[k]), f.d[k]);
        return detail::choose_number(lost, typename N::Full(x.compose(f.d)), result);
      }
    }
    return result;
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
  return choose(scale == 0.0, scale, Real(scale * sqrt(Real((part(x) + ... + part(rest))))));
}

}  // namespace detail

namespace detail {

// Numbers with no more than third derivatives, which drop all higher powers.
template <class N>
inline constexpr bool ends_at_third_order = [] {
  if constexpr (InFullArithmetic<N>)
    return false;
  else
    return N::order <= 3;
}();

// sqrt(u^2 + w^2) = u + w t / (1 + sqrt(1 + t^2)) with t = w/u, where w has the value 0: its fourth power has no derivatives up
// to the third. Divided by the length, the value of u, first, so that no squares of large slopes or small lengths arise.
template <class N>
HOLO_INLINE constexpr N excess(const N& w, const N& u, const typename N::Real& length) {
  const N half = 0.5 * ((w * (w / length)) / (u / length));
  if constexpr (ends_at_third_order<N>) {
    return half;
  } else {
    const N t = w / u;
    return 2.0 * half / (1.0 + sqrt(1.0 + t * t));
  }
}

// The value at hand, but for numbers whose value holds powers of their step.
template <class N>
HOLO_INLINE constexpr N with_length(const N& result, const typename N::Real& length) {
  if constexpr (InFullArithmetic<N>)
    return result;
  else
    return result.with_value(length);
}

}  // namespace detail

// |X| along and across the unit vector n of its real parts: sqrt((n X)^2 + |n x X|^2). The differences of nearly
// equal squares that sqrt(x^2 + y^2) has in its derivatives along X do not arise. Where all real parts are 0 the value is 0,
// and no derivative is finite.
template <class X, class Y>
requires detail::MixedNumbers<X, Y> HOLO_INLINE constexpr detail::Mixed<X, Y> hypot(const X& x_, const Y& y_) {
  using N = detail::Mixed<X, Y>;
  using Real = typename N::Real;
  const N x = x_, y = y_;
  const Real length = detail::length(x.value(), y.value());
  const Real c = x.value() / length, s = y.value() / length;
  const N along = (c * x + s * y).with_value(length), across = (c * y - s * x).with_value(Real(0.0) * c);
  return detail::with_length(N(along + detail::excess(across, along, length)), length);
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
  const auto across = [](const Real& p, const N& q, const Real& r, const N& s)
                          HOLO_INLINE_LAMBDA { return N(p * q - r * s).with_value(Real(0.0) * p); };
  if constexpr (detail::ends_at_third_order<N>) {
    const auto half_excess = [&](const N& w) HOLO_INLINE_LAMBDA { return detail::excess(w, along, length); };
    return detail::with_length(
        N(along + half_excess(across(b, z, c, y)) + half_excess(across(c, x, a, z)) + half_excess(across(a, y, b, x))), length);
  } else {
    const auto square_of = [&](const N& w) HOLO_INLINE_LAMBDA {
      const N t = w / along;
      return t * t;
    };
    return detail::with_length(
        N(along * sqrt(1.0 + square_of(across(b, z, c, y)) + square_of(across(c, x, a, z)) + square_of(across(a, y, b, x)))),
        length);
  }
}

// abs, min, max, clamp and select take one of their arguments whole, chosen by real parts; a tie takes the right branch of abs
// and the first argument of the others, and is counted (holo/diff/singular/kinks.h).
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
  const auto &p = x.value(), &q = y.value();
  detail::count(&KinkCounters::kinks, p == q);
  return detail::choose_number(detail::either(q < p, q != q), y, x);
}
template <class A, class B>
requires detail::MixedNumbers<A, B> HOLO_INLINE constexpr detail::Mixed<A, B> max(const A& a, const B& b) {
  using N = detail::Mixed<A, B>;
  const N x = a, y = b;
  const auto &p = x.value(), &q = y.value();
  detail::count(&KinkCounters::kinks, p == q);
  return detail::choose_number(detail::either(p < q, q != q), y, x);
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
