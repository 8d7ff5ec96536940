#pragma once
// Powers, choices and steps of taped variables. Included by holo/diff/tape/variable.h.

#include "holo/diff/singular/kinks.h"
#include "holo/diff/tape/variable.h"

namespace holo {

// By multiplication: exact at 0, right for negative bases.
template <class T>
Variable<T> pow(const Variable<T>& x, int exponent) {
  if (x.is_constant()) return std::pow(x.constant(), exponent);
  if (exponent == 0) return 1.0;
  return detail::unary(detail::TapeOperation::power_integer, x, T(pow(x.value(), exponent)), exponent);
}
template <class T>
Variable<T> pow(const Variable<T>& x, double exponent) {
  if (exponent >= -65536.0 && exponent <= 65536.0 && exponent == double(int(exponent))) return pow(x, int(exponent));
  if (x.is_constant()) return std::pow(x.constant(), exponent);
  return detail::unary(detail::TapeOperation::power_real, x, T(pow(x.value(), exponent)), exponent);
}
template <class A, class T>
requires detail::WithVariables<A, Variable<T>> Variable<T> pow(const A& base, const Variable<T>& y) {
  const Variable<T> x(base);
  if (y.is_constant()) return pow(x, y.constant());
  const Variable<T> b = detail::on_tape(y.tape(), x);
  return detail::binary(detail::TapeOperation::power, b, y, T(pow(b.value(), y.value())));
}
// x^(q/m), for odd m also of negative x: the slope is (q/m) z / x there too.
template <int q, int m, class T>
Variable<T> rational_pow(const Variable<T>& x) {
  static_assert(m > 0, "the denominator of the exponent is positive");
  if constexpr (q % m == 0) {
    return pow(x, q / m);
  } else {
    const Nilpotent<1> constant(x.constant());
    if (x.is_constant()) return rational_pow<q, m>(constant).value();
    if constexpr (std::is_arithmetic_v<T>)
      return detail::unary(detail::TapeOperation::power_real, x, T(rational_pow<q, m>(Nilpotent<1>(x.value())).value()),
                           double(q) / m);
    else
      return detail::unary(detail::TapeOperation::power_real, x, T(rational_pow<q, m>(x.value())), double(q) / m);
  }
}

#define HOLO_VARIABLE_BINARY(name)                                                           \
  template <class A, class B>                                                                \
  requires detail::WithVariables<A, B>                                                       \
  auto name(const A& a_, const B& b_) {                                                      \
    using V = detail::VariableFor<A, B>;                                                     \
    using T = typename V::Scalar;                                                            \
    const V a(a_), b(b_);                                                                    \
    if (a.is_constant() && b.is_constant()) return V(std::name(a.constant(), b.constant())); \
    Tape<T>* tape = a.is_constant() ? b.tape() : a.tape();                                   \
    const V x = detail::on_tape(tape, a), y = detail::on_tape(tape, b);                      \
    return detail::binary(detail::TapeOperation::name, x, y, T(name(x.value(), y.value()))); \
  }
HOLO_VARIABLE_BINARY(atan2)
HOLO_VARIABLE_BINARY(hypot)
#undef HOLO_VARIABLE_BINARY
template <class A, class B, class C>
requires detail::WithVariables<A, B, C>
auto hypot(const A& a, const B& b, const C& c) {
  using V = detail::VariableFor<A, B, C>;
  return hypot(hypot(V(a), V(b)), V(c));
}

// A tie takes the right branch of abs and the first argument of the others, and is counted.
template <class T>
Variable<T> abs(const Variable<T>& x) {
  detail::count(&KinkCounters::kinks, x.real() == 0.0);
  return x.real() < 0.0 ? -x : x;
}
template <class A, class B>
requires detail::WithVariables<A, B>
auto select(bool condition, const A& a, const B& b) {
  using V = detail::VariableFor<A, B>;
  return condition ? V(a) : V(b);
}
template <class A, class B>
requires detail::WithVariables<A, B>
auto min(const A& a, const B& b) {
  using V = detail::VariableFor<A, B>;
  const V x(a), y(b);
  detail::count(&KinkCounters::kinks, x.real() == y.real());
  return y.real() < x.real() || std::isnan(y.real()) ? y : x;
}
template <class A, class B>
requires detail::WithVariables<A, B>
auto max(const A& a, const B& b) {
  using V = detail::VariableFor<A, B>;
  const V x(a), y(b);
  detail::count(&KinkCounters::kinks, x.real() == y.real());
  return x.real() < y.real() || std::isnan(y.real()) ? y : x;
}
template <class X, class L, class H>
requires detail::WithVariables<X, L, H>
auto clamp(const X& x, const L& low, const H& high) {
  using V = detail::VariableFor<X, L, H>;
  return min(max(V(x), V(low)), V(high));
}

// Piecewise constant: no derivative, and a jump is counted at a step.
#define HOLO_VARIABLE_STEP(name, distance)                \
  template <class T>                                      \
  Variable<T> name(const Variable<T>& x) {                \
    const double y = x.real(), z = std::name(y);          \
    detail::count(&KinkCounters::jumps, distance == 0.0); \
    return z;                                             \
  }
HOLO_VARIABLE_STEP(floor, y - z)
HOLO_VARIABLE_STEP(ceil, y - z)
HOLO_VARIABLE_STEP(round, std::abs(y - z) - 0.5)
#undef HOLO_VARIABLE_STEP
template <class T>
Variable<T> sign(const Variable<T>& x) {
  const double y = x.real();
  detail::count(&KinkCounters::jumps, y == 0.0);
  return y > 0.0 ? 1.0 : y < 0.0 ? -1.0 : y;
}

// Whether the value and all its derivatives are finite.
template <class T>
bool isfinite(const Variable<T>& x) {
  return isfinite(x.value());
}
template <class T>
bool isnan(const Variable<T>& x) {
  return isnan(x.value());
}

namespace detail {
template <class V>
concept TapedVariable = IsVariable<V>::value;
}
HOLO_FORBIDDEN_OPERATIONS(detail::TapedVariable)

}  // namespace holo
