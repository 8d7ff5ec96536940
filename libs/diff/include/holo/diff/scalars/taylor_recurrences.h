#pragma once
// Elementary functions of long power series by the recurrences of their differential equations: n^2 operations, where a
// composition takes n^3. Included by holo/diff/scalars/taylor.h, which uses them beyond order 3.

#include "holo/diff/derivative_functions.h"
#include "holo/diff/scalars/taylor.h"

namespace holo::detail {

// y with value y_0 and y' = g x': k y_k = sum_(j=1..k) j x_j g_(k-j), all coefficients of g known.
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> integrate(const B& value, const Taylor<n, B>& g, const Taylor<n, B>& x) {
  Taylor<n, B> y(value);
  for (int k = 1; k <= n; ++k) {
    B sum = x.data()[1] * g.data()[k - 1];
    for (int j = 2; j <= k; ++j) sum = sum + double(j) * x.data()[j] * g.data()[k - j];
    y.data()[k] = sum / double(k);
  }
  return y;
}

// A pair with u' = v x', v' = sign u x' from its values.
template <int n, class B>
HOLO_FN constexpr void oscillate(const Taylor<n, B>& x, double sign, Taylor<n, B>& u, Taylor<n, B>& v) {
  for (int k = 1; k <= n; ++k) {
    B du = x.data()[1] * v.data()[k - 1], dv = x.data()[1] * u.data()[k - 1];
    for (int j = 2; j <= k; ++j) {
      du = du + double(j) * x.data()[j] * v.data()[k - j];
      dv = dv + double(j) * x.data()[j] * u.data()[k - j];
    }
    u.data()[k] = du / double(k);
    v.data()[k] = sign * dv / double(k);
  }
}

// y' = slope(y) x' where slope(y) = s + sign y^2 and s0 is slope(y_0) without cancellation: tan, tanh.
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> tangent_recurrence(const Taylor<n, B>& x, const B& value, const B& slope, double sign) {
  Taylor<n, B> y(value), g(slope);
  for (int k = 1; k <= n; ++k) {
    B dy = x.data()[1] * g.data()[k - 1];
    for (int j = 2; j <= k; ++j) dy = dy + double(j) * x.data()[j] * g.data()[k - j];
    y.data()[k] = dy / double(k);
    B square = y.data()[0] * y.data()[k];
    for (int j = 1; j <= k; ++j) square = square + y.data()[j] * y.data()[k - j];
    g.data()[k] = sign * square;
  }
  return y;
}

template <int n, class B>
HOLO_FN constexpr Taylor<n, B> exp_recurrence(const Taylor<n, B>& x) {
  Taylor<n, B> y(B(exp(x.value())));
  for (int k = 1; k <= n; ++k) {
    B sum = x.data()[1] * y.data()[k - 1];
    for (int j = 2; j <= k; ++j) sum = sum + double(j) * x.data()[j] * y.data()[k - j];
    y.data()[k] = sum / double(k);
  }
  return y;
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> expm1_recurrence(const Taylor<n, B>& x) {
  return exp_recurrence(x).with_value(expm1(x.value()));
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> log_recurrence(const Taylor<n, B>& x) {
  return integrate(B(log(x.value())), 1.0 / x, x);
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> log1p_recurrence(const Taylor<n, B>& x) {
  return integrate(B(log1p(x.value())), 1.0 / (1.0 + x), x);
}
// x y' = p y x'.
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> power_recurrence(const Taylor<n, B>& x, const B& value, double p) {
  Taylor<n, B> y(value);
  for (int k = 1; k <= n; ++k) {
    B sum = (p * k) * x.data()[k] * y.data()[0];
    for (int j = 1; j < k; ++j) sum = sum + (p * j - (k - j)) * x.data()[j] * y.data()[k - j];
    y.data()[k] = sum / (double(k) * x.data()[0]);
  }
  return y;
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> sqrt_recurrence(const Taylor<n, B>& x) {
  return power_recurrence<n, B>(x, sqrt(x.value()), 0.5);
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> cbrt_recurrence(const Taylor<n, B>& x) {
  return power_recurrence<n, B>(x, cbrt(x.value()), 1.0 / 3);
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> sin_recurrence(const Taylor<n, B>& x) {
  Taylor<n, B> s(B(sin(x.value()))), c(B(cos(x.value())));
  oscillate(x, -1, s, c);
  return s;
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> cos_recurrence(const Taylor<n, B>& x) {
  Taylor<n, B> s(B(sin(x.value()))), c(B(cos(x.value())));
  oscillate(x, -1, s, c);
  return c;
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> sinh_recurrence(const Taylor<n, B>& x) {
  Taylor<n, B> s(B(sinh(x.value()))), c(B(cosh(x.value())));
  oscillate(x, 1, s, c);
  return s;
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> cosh_recurrence(const Taylor<n, B>& x) {
  Taylor<n, B> s(B(sinh(x.value()))), c(B(cosh(x.value())));
  oscillate(x, 1, s, c);
  return c;
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> tan_recurrence(const Taylor<n, B>& x) {
  const Sequence<1, B> t = tan_sequence<1>(x.value());
  return tangent_recurrence(x, t.d[0], t.d[1], 1);
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> tanh_recurrence(const Taylor<n, B>& x) {
  const Sequence<1, B> t = tanh_sequence<1>(x.value());
  return tangent_recurrence(x, t.d[0], t.d[1], -1);
}
// The product of 1 - x and 1 + x cancels in its slope near 0, the difference 1 - x^2 in its value near 1.
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> one_minus_square(const Taylor<n, B>& x) {
  return (1.0 - x * x).with_value((1.0 - x.value()) * (1.0 + x.value()));
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> asin_recurrence(const Taylor<n, B>& x) {
  const Taylor<n, B> w = one_minus_square(x);
  return integrate(B(asin(x.value())), power_recurrence<n, B>(w, 1.0 / sqrt(w.value()), -0.5), x);
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> acos_recurrence(const Taylor<n, B>& x) {
  const Taylor<n, B> w = one_minus_square(x);
  return integrate(B(acos(x.value())), power_recurrence<n, B>(w, -1.0 / sqrt(w.value()), -0.5), x);
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> atan_recurrence(const Taylor<n, B>& x) {
  return integrate(B(atan(x.value())), 1.0 / (1.0 + x * x), x);
}
template <int n, class B>
HOLO_FN constexpr Taylor<n, B> erf_recurrence(const Taylor<n, B>& x) {
  return integrate(erf_sequence<0>(x.value()).d[0], 1.1283791670955126 * exp_recurrence<n, B>(-(x * x)), x);
}

template <int n, class B>
struct Recurrences<Taylor<n, B>> {
  using Number = Taylor<n, B>;
#define HOLO_RECURRENCE(name) \
  HOLO_FN static constexpr Number name##_of(const Number& x) { return name##_recurrence(x); }
  HOLO_RECURRENCE(sqrt)
  HOLO_RECURRENCE(cbrt)
  HOLO_RECURRENCE(exp)
  HOLO_RECURRENCE(expm1)
  HOLO_RECURRENCE(log)
  HOLO_RECURRENCE(log1p)
  HOLO_RECURRENCE(sin)
  HOLO_RECURRENCE(cos)
  HOLO_RECURRENCE(tan)
  HOLO_RECURRENCE(asin)
  HOLO_RECURRENCE(acos)
  HOLO_RECURRENCE(atan)
  HOLO_RECURRENCE(sinh)
  HOLO_RECURRENCE(cosh)
  HOLO_RECURRENCE(tanh)
  HOLO_RECURRENCE(erf)
#undef HOLO_RECURRENCE
  HOLO_FN static constexpr Number power_of(const Number& x, const B& value, double p) { return power_recurrence(x, value, p); }
};

}  // namespace holo::detail
