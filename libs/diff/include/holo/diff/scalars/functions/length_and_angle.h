#pragma once
// atan2 and hypot (of two and three variables) for numbers that carry derivatives.

#include <cmath>

#include "holo/diff/scalars/derivative_number.h"
#include "holo/diff/scalars/functions/elementary_functions.h"

namespace holo {

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

}  // namespace holo
