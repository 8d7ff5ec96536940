#pragma once
// Functions of pieces for numbers that carry derivatives: abs, select, min, max, clamp, floor, ceil, round and sign.

#include <cmath>
#include <concepts>

#include "holo/diff/scalars/derivative_number.h"
#include "holo/diff/scalars/derivative_sequences.h"
#include "holo/diff/singular/kinks.h"

namespace holo {

// abs, min, max, clamp and select take one of their arguments whole, chosen by real parts; a tie takes the right branch of abs
// and the first argument of the others, and is counted (holo/diff/singular/kinks.h).
template <DerivativeNumber N>
HOLO_INLINE constexpr N abs(const N& x) {
  detail::count(&KinkCounters::kinks, x.value() == 0.0);
  return detail::choose(x.value() < 0.0, N(-x), x);
}

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
