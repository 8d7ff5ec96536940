#pragma once
// A truncated power series in one variable t: the normalized derivatives c_k = f^(k) / k!, k = 0 ... Order, of a function along
// a line, for pure derivatives of any order. It is the nilpotent number of `Order` equal directions, in Order + 1 coefficients
// instead of 2^Order.
//
//   auto f = [](const auto& x) {                         // intermediate results by auto: their types carry degrees
//     const auto q = x * x;
//     return exp(x) / (q * q + q + 1);
//   };
//   Taylor<3> y = taylor<3>(f, 4.0);                     // f at 4 + t
//   y.derivative(2);                                     // f''(4)
//   y.coefficient(3);                                    // f'''(4) / 6
//
// Taylor<n, Base, Degree> is a series known to end at `Degree`, a polynomial in t: the variable itself (Taylor<n>::variable(x),
// degree 1, slope 1), its powers and their sums. Coefficients above the degree are not stored and cost nothing, and a function
// of the bare variable costs its derivatives alone. Every such type turns into Taylor<n, Base>, which also serves as the one
// scalar type S of a function template.
//
// The coefficient of a derivative that does not exist is not finite; see holo/diff/scalars/nilpotent.h.

#include "holo/diff/derivative_functions.h"
#include "holo/diff/scalars/taylor_algebra.h"
#include "holo/diff/unroll.h"

namespace holo {

template <int Order, class Base = double, int Degree = Order>
class Taylor : public StaysItself<Taylor<Order, Base, Degree>> {
  static_assert(Order >= 1 && Degree >= 1 && Degree <= Order, "Taylor needs 1 <= Degree <= Order");

 public:
  using Real = Base;
  using Full = Taylor<Order, Base>;
  using Variable = Taylor<Order, Base, 1>;
  static constexpr bool carries_derivatives = true;
  static constexpr int order = Order, degree = Degree;
  static constexpr bool along_a_line = Degree == 1;
  static constexpr bool prefers_recurrences = Order > 3 && Degree > 1;

  constexpr Taylor() = default;  // zero
  template <class T>
  requires detail::PlainNumber<T, Base> HOLO_INLINE constexpr Taylor(const T& value) {  // NOLINT: a constant has no slope
    c_[0] = value;
  }
  template <int lower>
  requires(lower < Degree) HOLO_INLINE constexpr Taylor(const Taylor<Order, Base, lower>& polynomial) {  // NOLINT: same number
    detail::unroll<0, lower + 1>([&](int k) HOLO_INLINE_LAMBDA { c_[k] = polynomial.data()[k]; });
  }
  // value + t.
  HOLO_INLINE static constexpr Variable variable(const Base& value) { return Variable::seed(value, Base(1.0)); }
  // value + slope t: a step along a direction.
  HOLO_INLINE static constexpr Taylor seed(const Base& value, const Base& slope) {
    Taylor x(value);
    x.c_[1] = slope;
    return x;
  }

  HOLO_INLINE constexpr const Base& value() const { return c_[0]; }
  // f^(k) / k!, for 0 <= k <= Order.
  HOLO_INLINE constexpr Base coefficient(int k) const { return k <= Degree ? c_[k] : Base(0.0); }
  HOLO_INLINE constexpr void set_coefficient(int k, const Base& value) { c_[k] = value; }  // k <= Degree
  // f^(k), for 0 <= k <= Order.
  HOLO_INLINE constexpr Base derivative(int k) const {
    double factorial = 1;
    for (int i = 2; i <= k; ++i) factorial *= i;
    return coefficient(k) * factorial;
  }
  HOLO_INLINE constexpr Base derivative() const { return derivative(Order); }
  HOLO_INLINE constexpr const Base* data() const { return c_; }  // [Degree + 1]
  HOLO_INLINE constexpr Base* data() { return c_; }

  // f of this number, from the derivatives d[k] = f^(k)(value()), k = 0 ... Order.
  HOLO_INLINE constexpr Full compose(const Base* d) const {
    Full result;
    detail::compose_series<Order, Degree>(d, c_, result.data());
    return result;
  }
  HOLO_INLINE constexpr Taylor with_value(const Base& value) const {
    Taylor result = *this;
    result.c_[0] = value;
    return result;
  }
  template <class F>
  HOLO_INLINE constexpr Taylor map(F f) const {
    Taylor result;
    detail::unroll<0, Degree + 1>([&](int k) HOLO_INLINE_LAMBDA { result.c_[k] = f(c_[k]); });
    return result;
  }
  template <class F>
  HOLO_INLINE static constexpr Taylor zip(const Taylor& a, const Taylor& b, F f) {
    Taylor result;
    detail::unroll<0, Degree + 1>([&](int k) HOLO_INLINE_LAMBDA { result.c_[k] = f(a.c_[k], b.c_[k]); });
    return result;
  }

  // Whether all coefficients are finite: over lanes a mask, one answer for each evaluation point.
  friend HOLO_INLINE constexpr auto isfinite(const Taylor& a) {
    auto result = a.c_[0] - a.c_[0] == 0.0;
    for (int k = 1; k <= Degree; ++k) result = result & (a.c_[k] - a.c_[k] == 0.0);
    return result;
  }
  friend HOLO_INLINE constexpr auto isnan(const Taylor& a) {
    auto result = a.c_[0] == a.c_[0];
    for (int k = 1; k <= Degree; ++k) result = result & (a.c_[k] == a.c_[k]);
    return !result;
  }

 private:
  Base c_[Degree + 1]{};
};

namespace detail {

template <int n, class B, int p, int q, class F>
HOLO_INLINE constexpr auto add_series(const Taylor<n, B, p>& a, const Taylor<n, B, q>& b, F f) {
  if constexpr (p >= q) {
    Taylor<n, B, p> result = a;
    unroll<0, q + 1>([&](int k) HOLO_INLINE_LAMBDA { result.data()[k] = f(a.data()[k], b.data()[k]); });
    return result;
  } else {
    Taylor<n, B, q> result = b.map([&](const B& x) HOLO_INLINE_LAMBDA { return f(B(0.0), x); });
    unroll<0, p + 1>([&](int k) HOLO_INLINE_LAMBDA { result.data()[k] = f(a.data()[k], b.data()[k]); });
    return result;
  }
}

}  // namespace detail

template <int n, class B, int p, int q>
HOLO_INLINE constexpr auto operator+(const Taylor<n, B, p>& a, const Taylor<n, B, q>& b) {
  return detail::add_series(a, b, [](const B& x, const B& y) HOLO_INLINE_LAMBDA { return x + y; });
}
template <int n, class B, int p, int q>
HOLO_INLINE constexpr auto operator-(const Taylor<n, B, p>& a, const Taylor<n, B, q>& b) {
  return detail::add_series(a, b, [](const B& x, const B& y) HOLO_INLINE_LAMBDA { return x - y; });
}
template <int n, class B, int p, int q>
HOLO_INLINE constexpr auto operator*(const Taylor<n, B, p>& a, const Taylor<n, B, q>& b) {
  Taylor<n, B, (p + q < n ? p + q : n)> result;
  detail::multiply_series<n, p, q>(a.data(), b.data(), result.data());
  return result;
}
template <int n, class B, int p, int q>
HOLO_INLINE constexpr auto operator/(const Taylor<n, B, p>& a, const Taylor<n, B, q>& b) {
  Taylor<n, B> result;
  detail::divide_series<n, p, q>(a.data(), b.data(), B(1.0 / b.value()), result.data());
  return result;
}

// The derivatives of outer(inner(x)) from d[k] = outer^(k) at inner(x) and inner^(k) at x, k = 0 ... n: the chain rule of any
// order, the ratios of perturbations of [Luo2019] Eq 16 for n = 1.
template <int n, class Base>
using DerivativeSequence = detail::Sequence<n, Base>;
template <int n, class Base>
HOLO_INLINE constexpr DerivativeSequence<n, Base> compose(const DerivativeSequence<n, Base>& outer,
                                                          const DerivativeSequence<n, Base>& inner) {
  Taylor<n, Base> x;
  double factorial = 1;
  for (int k = 0; k <= n; ++k) {
    if (k > 1) factorial *= k;
    x.data()[k] = inner.d[k] * (1 / factorial);
  }
  const Taylor<n, Base> f = x.compose(outer.d);
  DerivativeSequence<n, Base> result{};
  for (int k = 0; k <= n; ++k) result.d[k] = f.derivative(k);
  return result;
}

// f at x + t, where f takes any scalar.
template <int n, class Base, class F>
HOLO_INLINE constexpr Taylor<n, Base> taylor(F&& f, const Base& x) {
  return f(Taylor<n, Base>::variable(x));
}

}  // namespace holo

#include "holo/diff/scalars/taylor_recurrences.h"
