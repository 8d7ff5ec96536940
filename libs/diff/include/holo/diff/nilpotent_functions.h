#pragma once
// The elementary functions of nilpotent numbers. Included by holo/diff/nilpotent.h.

#include <cmath>
#include <numeric>

#include "holo/diff/derivative_sequences.h"
#include "holo/diff/nilpotent.h"
#include "holo/diff/removable_singularities.h"

namespace holo {

#define HOLO_NILPOTENT_UNARY(name)                                    \
  template <NilpotentNumber N>                                        \
  HOLO_INLINE constexpr N name(const N& x) {                          \
    return x.compose(detail::name##_sequence<N::order>(x.value()).d); \
  }
HOLO_NILPOTENT_UNARY(sqrt)
HOLO_NILPOTENT_UNARY(cbrt)
HOLO_NILPOTENT_UNARY(exp)
HOLO_NILPOTENT_UNARY(expm1)
HOLO_NILPOTENT_UNARY(log)
HOLO_NILPOTENT_UNARY(log1p)
HOLO_NILPOTENT_UNARY(sin)
HOLO_NILPOTENT_UNARY(cos)
HOLO_NILPOTENT_UNARY(tan)
HOLO_NILPOTENT_UNARY(asin)
HOLO_NILPOTENT_UNARY(acos)
HOLO_NILPOTENT_UNARY(atan)
HOLO_NILPOTENT_UNARY(sinh)
HOLO_NILPOTENT_UNARY(cosh)
HOLO_NILPOTENT_UNARY(tanh)
HOLO_NILPOTENT_UNARY(sinc)
HOLO_NILPOTENT_UNARY(sinhc)
HOLO_NILPOTENT_UNARY(one_minus_cos_over_square)
#undef HOLO_NILPOTENT_UNARY

// The three with a removable singularity for plain numbers too.
template <class B>
requires(!NilpotentNumber<B>) constexpr B sinc(const B& x) { return detail::sinc_sequence<0>(x).d[0]; }
template <class B>
requires(!NilpotentNumber<B>) constexpr B sinhc(const B& x) { return detail::sinhc_sequence<0>(x).d[0]; }
template <class B>
requires(!NilpotentNumber<B>) constexpr B one_minus_cos_over_square(const B& x) {
  return detail::one_minus_cos_over_square_sequence<0>(x).d[0];
}

namespace detail {

// A scalar function of a number, or of each of its lanes: for functions that lanes do not have.
template <class B, class F>
HOLO_INLINE B each_lane(const B& x, F f) {
  if constexpr (requires { B::width; }) {
    B result = x;
    for (int i = 0; i < B::width; ++i) result.set(i, f(x[i]));
    return result;
  } else {
    return f(x);
  }
}

// The nilpotent type of an operation on nilpotent and plain numbers.
template <class... T>
struct NilpotentOf;
template <class X, class... Rest>
struct NilpotentOf<X, Rest...> : std::conditional_t<NilpotentNumber<X>, std::type_identity<X>, NilpotentOf<Rest...>> {};
template <>
struct NilpotentOf<> {};

template <class... T>
concept MixedWithNilpotent = (NilpotentNumber<T> || ...) && ((std::same_as<T, typename NilpotentOf<T...>::type> ||
                                                              PlainNumber<T, typename NilpotentOf<T...>::type::Real>)&&...);

template <class... T>
using Mixed = typename NilpotentOf<T...>::type;

}  // namespace detail

template <NilpotentNumber N>
HOLO_INLINE N erf(const N& x) {
  const auto value = detail::each_lane(x.value(), [](const auto& y) {
    using std::erf;
    return erf(y);
  });
  return x.compose(detail::erf_sequence<N::order>(value, x.value()).d);
}

// By multiplication of the whole number: exact at 0, right for negative bases; 0^0 = 1.
template <NilpotentNumber N>
HOLO_INLINE constexpr N pow(const N& x, int exponent) {
  unsigned left = exponent < 0 ? 0u - unsigned(exponent) : unsigned(exponent);
  if (left == 0) return N(1.0);
  N power = x;
  for (; (left & 1u) == 0; left >>= 1) power = power * power;
  N result = power;
  for (left >>= 1; left != 0; left >>= 1) {
    power = power * power;
    if (left & 1u) result = result * power;
  }
  return exponent < 0 ? 1.0 / result : result;
}

// x^p for x > 0; not finite at 0 and below, unless p is an integer, which takes the product.
template <NilpotentNumber N, std::floating_point T>
HOLO_INLINE constexpr N pow(const N& x, T exponent) {
  const double p = exponent;
  constexpr double largest_product = 1 << 16;  // beyond, the rounding of the products is worse than pow's
  if (p >= -largest_product && p <= largest_product && p == double(int(p))) return pow(x, int(p));
  return x.compose(detail::power_sequence<N::order>(pow(x.value(), p), x.value(), p).d);
}

// exp(y log x), with the real part from pow, which rounds better.
template <class X, class Y>
requires detail::MixedWithNilpotent<X, Y> && NilpotentNumber<Y> HOLO_INLINE constexpr detail::Mixed<X, Y> pow(const X& x,
                                                                                                              const Y& y) {
  using N = detail::Mixed<X, Y>;
  using Real = typename N::Real;
  Real d[N::order + 1];
  if constexpr (NilpotentNumber<X>) {
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
template <int q, int m, NilpotentNumber N>
HOLO_INLINE constexpr N rational_pow(const N& x) {
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
requires detail::MixedWithNilpotent<Y, X> HOLO_INLINE constexpr detail::Mixed<Y, X> atan2(const Y& y_, const X& x_) {
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

// Scaled by the largest real part, so that nothing overflows. Not finite where all real parts are 0.
template <class X, class Y>
requires detail::MixedWithNilpotent<X, Y> HOLO_INLINE constexpr detail::Mixed<X, Y> hypot(const X& x_, const Y& y_) {
  using N = detail::Mixed<X, Y>;
  using Real = typename N::Real;
  const N x = x_, y = y_;
  const Real scale = max(Real(abs(x.value())), Real(abs(y.value())));
  const N a = x / scale, b = y / scale;
  return scale * sqrt(a * a + b * b);
}
template <class X, class Y, class Z>
requires detail::MixedWithNilpotent<X, Y, Z> HOLO_INLINE constexpr detail::Mixed<X, Y, Z> hypot(const X& x_, const Y& y_,
                                                                                                const Z& z_) {
  using N = detail::Mixed<X, Y, Z>;
  using Real = typename N::Real;
  const N x = x_, y = y_, z = z_;
  const Real scale = max(max(Real(abs(x.value())), Real(abs(y.value()))), Real(abs(z.value())));
  const N a = x / scale, b = y / scale, c = z / scale;
  return scale * sqrt(a * a + b * b + c * c);
}

// abs, min, max, clamp and select take one of their arguments whole, chosen by real parts; a tie takes the right branch of abs
// and the first argument of the others, and is counted (holo/diff/kinks.h).
template <NilpotentNumber N>
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

template <NilpotentNumber N>
HOLO_INLINE constexpr N select(bool condition, const N& a, const N& b) {
  return condition ? a : b;
}
template <class Condition, class A, class B>
requires detail::MixedWithNilpotent<A, B> &&(!std::same_as<A, B> || !std::same_as<Condition, bool>)HOLO_INLINE
    constexpr detail::Mixed<A, B> select(const Condition& condition, const A& a, const B& b) {
  using N = detail::Mixed<A, B>;
  return detail::choose_number(condition, N(a), N(b));
}

// A NaN is kept, whichever argument it is.
template <NilpotentNumber N>
HOLO_INLINE constexpr N min(const N& a, const N& b) {
  detail::count(&KinkCounters::kinks, a == b);
  return detail::choose_number(detail::either(b < a, b != b), b, a);
}
template <NilpotentNumber N>
HOLO_INLINE constexpr N max(const N& a, const N& b) {
  detail::count(&KinkCounters::kinks, a == b);
  return detail::choose_number(detail::either(a < b, b != b), b, a);
}
template <class A, class B>
requires detail::MixedWithNilpotent<A, B> &&(!std::same_as<A, B>)HOLO_INLINE
    constexpr detail::Mixed<A, B> min(const A& a, const B& b) {
  using N = detail::Mixed<A, B>;
  return min(N(a), N(b));
}
template <class A, class B>
requires detail::MixedWithNilpotent<A, B> &&(!std::same_as<A, B>)HOLO_INLINE
    constexpr detail::Mixed<A, B> max(const A& a, const B& b) {
  using N = detail::Mixed<A, B>;
  return max(N(a), N(b));
}
template <class X, class L, class H>
requires detail::MixedWithNilpotent<X, L, H> HOLO_INLINE constexpr detail::Mixed<X, L, H> clamp(const X& x, const L& low,
                                                                                                const H& high) {
  using N = detail::Mixed<X, L, H>;
  return min(max(N(x), N(low)), N(high));
}

// Piecewise constant: the value without derivatives, also at a step, where a jump is counted.
#define HOLO_NILPOTENT_STEP(name, distance_to_step)                     \
  template <NilpotentNumber N>                                          \
  HOLO_INLINE N name(const N& x) {                                      \
    const auto value = detail::each_lane(x.value(), [](const auto& y) { \
      using std::name;                                                  \
      return name(y);                                                   \
    });                                                                 \
    detail::count(&KinkCounters::jumps, distance_to_step == 0.0);       \
    return N(value);                                                    \
  }
HOLO_NILPOTENT_STEP(floor, x.value() - value)
HOLO_NILPOTENT_STEP(ceil, x.value() - value)
HOLO_NILPOTENT_STEP(round, abs(x.value() - value) - 0.5)
#undef HOLO_NILPOTENT_STEP

// -1, 0 or 1; NaN for NaN.
template <NilpotentNumber N>
HOLO_INLINE constexpr N sign(const N& x) {
  using Real = typename N::Real;
  const Real& a = x.value();
  detail::count(&KinkCounters::jumps, a == 0.0);
  return N(detail::choose(a > 0.0, Real(1.0), detail::choose(a < 0.0, Real(-1.0), a)));
}

// Operations that are not analytic: they would drop the derivatives without a word.
#define HOLO_NILPOTENT_FORBIDDEN(name, instead)                                                                \
  template <NilpotentNumber N>                                                                                 \
  constexpr N name(const N&) {                                                                                 \
    static_assert(detail::never<N>, #name " is not analytic and would destroy the derivatives: " instead "."); \
    return N();                                                                                                \
  }
HOLO_NILPOTENT_FORBIDDEN(conj, "leave it out, the derivative types need no conjugate")
HOLO_NILPOTENT_FORBIDDEN(real, "call value() at the very end of the computation")
HOLO_NILPOTENT_FORBIDDEN(imag, "call coefficient() at the very end of the computation")
HOLO_NILPOTENT_FORBIDDEN(arg, "use atan2(y, x)")
HOLO_NILPOTENT_FORBIDDEN(norm, "use x * x or hypot(x, y)")
HOLO_NILPOTENT_FORBIDDEN(proj, "leave it out")
#undef HOLO_NILPOTENT_FORBIDDEN

}  // namespace holo
