#pragma once
// f(x), f'(x), ..., f^(n)(x) of the elementary functions at a plain number x (double, lanes, reference arithmetic), by the
// recurrences of their differential equations. All derivative types, whatever their layout, take them from here.
//
// A derivative that does not exist comes out as inf or NaN, as the formula gives it: see holo/diff/scalars/nilpotent.h.

#include <array>
#include <type_traits>

#include "holo/core/host_device.h"
#include "holo/diff/scalars/elementary.h"
#include "holo/diff/unroll.h"

namespace holo::detail {

template <int n, class B>
struct Sequence {
  B d[n + 1];
};

// A scalar function of a number, or of each of its lanes: for functions that lanes do not have.
template <class B, class F>
HOLO_INLINE constexpr B each_lane(const B& x, F f) {
  if constexpr (requires { B::width; }) {
    B result = x;
    for (int i = 0; i < B::width; ++i) result.set(i, f(x[i]));
    return result;
  } else {
    return f(x);
  }
}

constexpr double binomial(int n, int k) {
  double result = 1;
  for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> exp_sequence(const B& x) {
  Sequence<n, B> f{};
  f.d[0] = exp(x);
  unroll<1, n>([&](int k) HOLO_INLINE_LAMBDA { f.d[k] = f.d[0]; });
  return f;
}

template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> expm1_sequence(const B& x) {
  Sequence<n, B> f = exp_sequence<n>(x);  // expm1(x) + 1 would cancel for x << 0
  f.d[0] = expm1(x);
  return f;
}

// d_1 = 1/x, d_k = -(k-1) d_(k-1) / x, below any d_0.
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> logarithm_sequence(const B& value, const B& x) {
  Sequence<n, B> f{};
  f.d[0] = value;
  const B inverse = 1.0 / x;
  f.d[1] = inverse;
  unroll<2, n - 1>([&](int k) HOLO_INLINE_LAMBDA { f.d[k] = (double(1 - k) * f.d[k - 1]) * inverse; });
  return f;
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> log_sequence(const B& x) {
  return logarithm_sequence<n, B>(log(x), x);
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> log1p_sequence(const B& x) {
  return logarithm_sequence<n, B>(log1p(x), 1.0 + x);
}

// y = x^p: d_k = d_(k-1) (p - k + 1) / x. For p > 0 and a subnormal x, 1 / x is infinite where the derivative is not.
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> power_sequence(const B& y, const B& x, double p) {
  Sequence<n, B> f{};
  f.d[0] = y;
  if (p > 0) {
    unroll<1, n>([&](int k) HOLO_INLINE_LAMBDA { f.d[k] = (f.d[k - 1] * (p - (k - 1))) / x; });
    return f;
  }
  const B inverse = 1.0 / x;
  unroll<1, n>([&](int k) HOLO_INLINE_LAMBDA { f.d[k] = (f.d[k - 1] * (p - (k - 1))) * inverse; });
  return f;
}
// x^p for an integer p, by products: exact at 0, right for negative x; 0^0 = 1.
template <class B>
HOLO_INLINE constexpr B integer_power(const B& x, int exponent) {
  unsigned left = exponent < 0 ? 0u - unsigned(exponent) : unsigned(exponent);
  B result = B(1.0), power = x;
  for (; left != 0; left >>= 1) {
    if (left & 1u) result = result * power;
    power = power * power;
  }
  return exponent < 0 ? B(1.0 / result) : result;
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> integer_power_sequence(const B& x, int p) {
  Sequence<n, B> f{};
  double factor = 1;
  for (int k = 0; k <= n && factor != 0; ++k) {
    f.d[k] = factor * integer_power(x, p - k);
    factor *= p - k;
  }
  return f;
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> sqrt_sequence(const B& x) {
  Sequence<n, B> f{};
  f.d[0] = sqrt(x);
  f.d[1] = 0.5 / f.d[0];
  if constexpr (n >= 2) {
    const B inverse = 1.0 / x;
    unroll<2, n - 1>([&](int k) HOLO_INLINE_LAMBDA { f.d[k] = (f.d[k - 1] * (1.5 - k)) * inverse; });
  }
  return f;
}
// The real odd root. d_k = d_(k-1) (4/3 - k) / x with a numerator free of rounding.
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> cbrt_sequence(const B& x) {
  Sequence<n, B> f{};
  f.d[0] = cbrt(x);
  unroll<1, n>([&](int k) HOLO_INLINE_LAMBDA { f.d[k] = (f.d[k - 1] * double(4 - 3 * k)) / (3.0 * x); });
  return f;
}

// s, c, -s, -c, ... from position `start` of the cycle.
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> circular_sequence(const B& x, int start) {
  const B s = sin(x), c = cos(x);
  Sequence<n, B> f{};
  unroll<0, n + 1>([&](int k) HOLO_INLINE_LAMBDA {
    const int phase = (start + k) % 4;
    f.d[k] = phase == 0 ? s : phase == 1 ? c : phase == 2 ? B(-s) : B(-c);
  });
  return f;
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> sin_sequence(const B& x) {
  return circular_sequence<n>(x, 0);
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> cos_sequence(const B& x) {
  return circular_sequence<n>(x, 1);
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> hyperbolic_sequence(const B& even, const B& odd) {
  Sequence<n, B> f{};
  unroll<0, n + 1>([&](int k) HOLO_INLINE_LAMBDA { f.d[k] = k % 2 == 0 ? even : odd; });
  return f;
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> sinh_sequence(const B& x) {
  return hyperbolic_sequence<n, B>(sinh(x), cosh(x));
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> cosh_sequence(const B& x) {
  return hyperbolic_sequence<n, B>(cosh(x), sinh(x));
}

// t' = t'_0 and t'' = sign (t^2)', the common part of tan (1) and tanh (-1): Leibniz' rule.
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> tangent_sequence(const B& t, const B& slope, double sign) {
  Sequence<n, B> f{};
  f.d[0] = t;
  f.d[1] = slope;
  for (int k = 1; k < n; ++k) {
    B sum = f.d[0] * f.d[k];
    for (int j = 1; j <= k; ++j) sum = sum + binomial(k, j) * f.d[j] * f.d[k - j];
    f.d[k + 1] = sign * sum;
  }
  return f;
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> tan_sequence(const B& x) {
  const B t = tan(x);
  return tangent_sequence<n, B>(t, 1.0 + t * t, 1);
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> tanh_sequence(const B& x) {
  const B e = exp(-2.0 * abs(x));  // 1 - tanh^2 would cancel for large x
  return tangent_sequence<n, B>(tanh(x), 4.0 * e / ((1.0 + e) * (1.0 + e)), -1);
}

// (1-x^2) d_2 = x d_1; (1-x^2) d_(k+2) = (2k+1) x d_(k+1) + k^2 d_k. `sign` is 1 for asin, -1 for acos.
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> arcsine_sequence(const B& value, const B& x, double sign) {
  Sequence<n, B> f{};
  const B w = (1.0 - x) * (1.0 + x);
  f.d[0] = value;
  f.d[1] = sign / sqrt(w);
  if constexpr (n >= 2) f.d[2] = x * f.d[1] / w;
  for (int k = 1; k + 2 <= n; ++k) f.d[k + 2] = (double(2 * k + 1) * x * f.d[k + 1] + double(k * k) * f.d[k]) / w;
  return f;
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> asin_sequence(const B& x) {
  return arcsine_sequence<n, B>(asin(x), x, 1);
}
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> acos_sequence(const B& x) {
  return arcsine_sequence<n, B>(acos(x), x, -1);
}
// (1+x^2) d_1 = 1; (1+x^2) d_(k+1) = -2k x d_k - k(k-1) d_(k-1).
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> atan_sequence(const B& x) {
  Sequence<n, B> f{};
  const B inverse = 1.0 / (1.0 + x * x);
  f.d[0] = atan(x);
  f.d[1] = inverse;
  if constexpr (n >= 2) f.d[2] = -2.0 * x * f.d[1] * inverse;
  for (int k = 2; k < n; ++k) f.d[k + 1] = (double(-2 * k) * x * f.d[k] - double(k * (k - 1)) * f.d[k - 1]) * inverse;
  return f;
}

// d_1 = 2/sqrt(pi) exp(-x^2); d_(k+1) = -2x d_k - 2(k-1) d_(k-1).
template <int n, class B>
HOLO_INLINE constexpr Sequence<n, B> erf_sequence(const B& x) {
  Sequence<n, B> f{};
  f.d[0] = each_lane(x, [](const auto& y) HOLO_INLINE_LAMBDA {
    using std::erf;
    return erf(y);
  });
  if constexpr (n >= 1) f.d[1] = 1.1283791670955126 * exp(-(x * x));
  if constexpr (n >= 2) f.d[2] = -2.0 * x * f.d[1];
  for (int k = 2; k < n; ++k) f.d[k + 1] = -2.0 * x * f.d[k] - double(2 * (k - 1)) * f.d[k - 1];
  return f;
}

}  // namespace holo::detail
