#pragma once
// The elementary functions under one name for every scalar. A function written once, `template <class S> S f(S x)`, calls
// log(x), select(x > 0, a, b), min(a, b) ... unqualified: built-in scalars find them here (argument-dependent lookup does not
// serve double, so this header must be included before the template), all other scalars in their own namespace.

#include <cmath>
#include <concepts>
#include <cstdlib>
#include <type_traits>

#include "holo/core/host_device.h"

namespace holo {

using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cbrt;
using std::cos;
using std::cosh;
using std::exp;
using std::expm1;
using std::hypot;
using std::isfinite;
using std::isnan;
using std::log;
using std::log1p;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

namespace detail {

// Marked by numbers that carry derivatives: they count where they choose a side (holo/diff/singular/kinks.h).
template <class T>
concept CarriesDerivatives = requires {
  requires T::carries_derivatives;
};
// Marked by scalars that record what is done to them at a point (holo/diff/tape/variable.h).
template <class T>
concept RecordsItself = requires {
  requires T::records_itself;
};

}  // namespace detail

// Scalars whose comparisons are plain bool: double, reference arithmetic. Lanes, the recording scalar and the numbers that
// carry derivatives are not among them and bring their own select, min and max.
template <class A, class B>
concept PlainlyComparable = !detail::CarriesDerivatives<A> && !detail::CarriesDerivatives<B> && !detail::RecordsItself<A> &&
                            !detail::RecordsItself<B> && requires(const A& a, const B& b) {
  { a < b } -> std::same_as<bool>;
  typename std::common_type_t<A, B>;
};

// a where the condition holds, b elsewhere. Both are evaluated.
template <class A, class B>
requires PlainlyComparable<A, B> HOLO_FN constexpr std::common_type_t<A, B> select(bool condition, const A& a, const B& b) {
  return condition ? static_cast<std::common_type_t<A, B>>(a) : static_cast<std::common_type_t<A, B>>(b);
}

// A tie takes the first argument; a NaN is kept, whichever argument it is.
template <class A, class B>
requires PlainlyComparable<A, B> HOLO_FN constexpr std::common_type_t<A, B> min(const A& a, const B& b) {
  return select(b < a || b != b, b, a);
}
template <class A, class B>
requires PlainlyComparable<A, B> HOLO_FN constexpr std::common_type_t<A, B> max(const A& a, const B& b) {
  return select(a < b || b != b, b, a);
}

template <class S>
HOLO_FN constexpr S square(const S& x) {
  return x * x;
}

HOLO_FN constexpr bool any(bool condition) { return condition; }
HOLO_FN constexpr bool all(bool condition) { return condition; }

}  // namespace holo
