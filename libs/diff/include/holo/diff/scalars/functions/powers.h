#pragma once
// Powers of numbers that carry derivatives, with integer, real, rational and variable exponents. Derivatives stay accurate
// where the power itself underflows.

#include <cmath>
#include <concepts>
#include <limits>
#include <numeric>

#include "holo/diff/scalars/derivative_number.h"
#include "holo/diff/scalars/derivative_sequences.h"
#include "holo/diff/scalars/functions/elementary_functions.h"

namespace holo {

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

// Whether a positive power of a positive number underflows, with which derivatives computed from it are lost.
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

}  // namespace holo
