#pragma once
// The interface and the arithmetic that all numbers with derivatives share, in any layout: holo/diff/scalars/nilpotent.h (mixed
// derivatives), holo/diff/scalars/taylor.h (one direction, any order), holo/diff/scalars/jet.h (all first and second
// derivatives in a few variables).
//
// Such a type N has N::order, N::Real (its coefficients' type), N::Full (the type of a general result: N itself, but for a
// polynomial of known degree the number of all degrees), value(), with_value(v), map(f) over its coefficients, and compose(d),
// which returns f of the number from f, f', ..., f^(order) at its value. The elementary functions and the operators below are
// written once for all of these types.

#include <concepts>
#include <type_traits>

#include "holo/core/host_device.h"
#include "holo/diff/scalars/elementary.h"
#include "holo/diff/singular/kinks.h"
#include "holo/diff/unroll.h"

namespace holo {

template <class T>
concept DerivativeNumber = detail::CarriesDerivatives<T>;

namespace detail {

template <class...>
inline constexpr bool never = false;

// Complex and multicomplex numbers, which keep all powers of their step.
template <class T>
concept InFullArithmetic = requires {
  requires T::in_full_arithmetic;
};

// Plain numbers, which an operation uses directly instead of converting them to a number with zero derivatives.
template <class T, class Base>
concept PlainNumber = (std::is_arithmetic_v<T> && !std::same_as<T, bool>) || std::same_as<T, Base>;

template <class T, class Base>
HOLO_INLINE constexpr decltype(auto) plain(const T& value) {
  if constexpr (std::integral<T>)
    return static_cast<double>(value);  // lanes know no product with an integer
  else
    return (value);
}

// select for conditions of one number, where each coefficient may itself be lanes, and for masks.
template <class Condition, class T>
HOLO_INLINE constexpr T choose(const Condition& condition, const T& a, const T& b) {
  if constexpr (std::same_as<Condition, bool>)
    return condition ? a : b;
  else
    return select(condition, a, b);
}

// The same for each coefficient of two numbers that carry derivatives.
template <class Condition, class N>
HOLO_INLINE constexpr N choose_number(const Condition& condition, const N& a, const N& b) {
  return N::zip(a, b, [&](const auto& x, const auto& y) HOLO_INLINE_LAMBDA { return choose(condition, x, y); });
}

// Conjunction and disjunction of conditions, which are bools or masks of lanes.
template <class Condition>
HOLO_INLINE constexpr Condition both(const Condition& a, const Condition& b) {
  return a & b;
}
template <class Condition>
HOLO_INLINE constexpr Condition either(const Condition& a, const Condition& b) {
  return a | b;
}

// The type of the result of an operation on plain numbers and numbers that carry derivatives.
template <class... T>
struct MixedOf {};
template <class X, class... Rest>
struct MixedOf<X, Rest...> : MixedOf<Rest...> {};
template <DerivativeNumber X, class... Rest>
struct MixedOf<X, Rest...> {
  using type = typename X::Full;
};
template <class... T>
using Mixed = typename MixedOf<T...>::type;

template <class T, class N>
struct Joins : std::bool_constant<PlainNumber<T, typename N::Real>> {};
template <DerivativeNumber T, class N>
struct Joins<T, N> : std::bool_constant<std::same_as<typename T::Full, N>> {};

template <class... T>
concept MixedNumbers = (DerivativeNumber<T> || ...) && (Joins<T, Mixed<T...>>::value && ...);

template <class Real, class T>
HOLO_INLINE constexpr decltype(auto) value_of(const T& x) {
  if constexpr (DerivativeNumber<T>)
    return (x.value());
  else
    return plain<T, Real>(x);
}

template <class T, class N>
concept PlainFor = DerivativeNumber<N> && PlainNumber<T, typename N::Real>;

}  // namespace detail

template <DerivativeNumber N>
HOLO_INLINE constexpr N operator+(const N& a) {
  return a;
}
template <DerivativeNumber N>
HOLO_INLINE constexpr N operator-(const N& a) {
  return a.map([](const auto& x) HOLO_INLINE_LAMBDA { return -x; });
}
template <DerivativeNumber N, detail::PlainFor<N> T>
HOLO_INLINE constexpr N operator+(const N& a, const T& b) {
  return a.with_value(a.value() + detail::plain<T, typename N::Real>(b));
}
template <DerivativeNumber N, detail::PlainFor<N> T>
HOLO_INLINE constexpr N operator+(const T& a, const N& b) {
  return b + a;
}
template <DerivativeNumber N, detail::PlainFor<N> T>
HOLO_INLINE constexpr N operator-(const N& a, const T& b) {
  return a.with_value(a.value() - detail::plain<T, typename N::Real>(b));
}
template <DerivativeNumber N, detail::PlainFor<N> T>
HOLO_INLINE constexpr N operator-(const T& a, const N& b) {
  return (-b).with_value(detail::plain<T, typename N::Real>(a) - b.value());
}
template <DerivativeNumber N, detail::PlainFor<N> T>
HOLO_INLINE constexpr N operator*(const N& a, const T& b) {
  const typename N::Real factor = detail::plain<T, typename N::Real>(b);
  return a.map([&](const auto& x) HOLO_INLINE_LAMBDA { return factor * x; });
}
template <DerivativeNumber N, detail::PlainFor<N> T>
HOLO_INLINE constexpr N operator*(const T& a, const N& b) {
  return b * a;
}
template <DerivativeNumber N, detail::PlainFor<N> T>
HOLO_INLINE constexpr N operator/(const N& a, const T& b) {
  const typename N::Real divisor = detail::plain<T, typename N::Real>(b);
  return a.map([&](const auto& x) HOLO_INLINE_LAMBDA { return x / divisor; });
}
template <DerivativeNumber N, detail::PlainFor<N> T>
HOLO_INLINE constexpr auto operator/(const T& a, const N& b) {
  if constexpr (requires { N::has_its_own_quotient; }) {
    return N(a) / b;
  } else {
    // d^k/db^k (a/b) = -k/b d^(k-1)/db^(k-1) (a/b)
    typename N::Real d[N::order + 1];
    d[0] = detail::plain<T, typename N::Real>(a) / b.value();
    const typename N::Real inverse = 1.0 / b.value();
    detail::unroll<1, N::order>([&](int k) HOLO_INLINE_LAMBDA { d[k] = double(-k) * d[k - 1] * inverse; });
    return b.compose(d);
  }
}

#define HOLO_COMPOUND(op)                \
  template <DerivativeNumber N, class T> \
  requires detail::MixedNumbers<N, T> HOLO_INLINE constexpr N& operator op##=(N& a, const T& b) { return a = a op b; }
HOLO_COMPOUND(+)
HOLO_COMPOUND(-)
HOLO_COMPOUND(*)
HOLO_COMPOUND(/)
#undef HOLO_COMPOUND

// Comparisons look at real parts alone [Shen2024, 5.4]: a bool, or over lanes a mask, which `if` refuses. Equal real parts
// are a tie, which is counted: what `if` or `select` make of it is the choice of a side.
#define HOLO_COMPARISON(op)                                                                            \
  template <class A, class B>                                                                          \
  requires detail::MixedNumbers<A, B> HOLO_INLINE constexpr auto operator op(const A& a, const B& b) { \
    using Real = typename detail::Mixed<A, B>::Real;                                                   \
    const auto& x = detail::value_of<Real>(a);                                                         \
    const auto& y = detail::value_of<Real>(b); /* of another type than x, where one is a constant */   \
    if (!detail::is_one_object(a, b)) detail::count(&KinkCounters::kinks, x == y);                     \
    return x op y;                                                                                     \
  }
HOLO_COMPARISON(<)
HOLO_COMPARISON(<=)
HOLO_COMPARISON(>)
HOLO_COMPARISON(>=)
HOLO_COMPARISON(==)
HOLO_COMPARISON(!=)
#undef HOLO_COMPARISON

// The base of every type that must not turn into a plain number.
template <class N>
struct StaysItself {
  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr operator T() const {  // NOLINT: implicit, so that it is found and refused wherever it would happen
    static_assert(
        detail::never<T>,
        "A derivative type does not turn into a plain number, as its derivatives would be lost: keep the scalar type S of "
        "the function template, or call value() at the very end.");
    return T();
  }
};

// Operations that are not analytic: they would drop the derivatives without a word.
#define HOLO_FORBIDDEN(Concept, name, instead)                                                                 \
  template <Concept N>                                                                                         \
  constexpr N name(const N&) {                                                                                 \
    static_assert(detail::never<N>, #name " is not analytic and would destroy the derivatives: " instead "."); \
    return N();                                                                                                \
  }
#define HOLO_FORBIDDEN_OPERATIONS(Concept)                                                               \
  HOLO_FORBIDDEN(Concept, conj, "leave it out, the derivative types need no conjugate")                  \
  HOLO_FORBIDDEN(Concept, real, "call value() at the very end of the computation")                       \
  HOLO_FORBIDDEN(Concept, imag, "call coefficient() or derivative() at the very end of the computation") \
  HOLO_FORBIDDEN(Concept, arg, "use atan2(y, x)")                                                        \
  HOLO_FORBIDDEN(Concept, norm, "use x * x or hypot(x, y)")                                              \
  HOLO_FORBIDDEN(Concept, proj, "leave it out")
HOLO_FORBIDDEN_OPERATIONS(DerivativeNumber)

}  // namespace holo
