#pragma once
// Lanes of numbers with twice the digits of a double, each the exact sum of two doubles [Dekker1971]. An energy near rest is a
// small difference of large terms: of an energy of order strain^2, terms rounded at 2^-53 leave an error of 2^-53 / strain^2.
// In these numbers its error is of order 2^-53 / strain, that of the strain itself.
//
// The relative error of + - * /, sqrt, cbrt and integer powers is about 2^-100. That of log(x) is a few units of 2^-53 for
// every x, also near 1; so is that of exp(x) - 1 and pow(x, p) - 1 from exp(x) and pow(x, p). Other functions are f(high),
// rounded, plus f'(high) low.
//
// A result that overflows or is infinite is NaN; the caller must then use plain lanes.

#include <cmath>

#include "holo/diff/lanes/lanes.h"

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace holo {
namespace detail {

// The value as a rounded number: no compiler may fuse the product that it comes from into a later sum.
template <class V>
HOLO_INLINE V rounded(V x) {
#if defined(__x86_64__)
  if constexpr (sizeof(V) <= HOLO_LANE_WIDTH * sizeof(double)) {
    asm("" : "+v"(x));
    return x;
  }
#endif
  asm("" : "+m"(x));
  return x;
}

// The upper half of the digits of each x.
template <class V>
HOLO_INLINE V leading_half(V x) {
  const V scaled = rounded(x * 134217729.0);  // 2^27 + 1
  return scaled - (scaled - x);
}

// a b - product, exactly, where `product` is a b rounded.
template <class V>
HOLO_INLINE V product_error(V a, V b, V product) {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) return (V)_mm512_fmsub_pd((__m512d)a, (__m512d)b, (__m512d)product);
#endif
#if defined(__FMA__)
  if constexpr (sizeof(V) == 32) return (V)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)product);
  if constexpr (sizeof(V) == 16) return (V)_mm_fmsub_pd((__m128d)a, (__m128d)b, (__m128d)product);
#endif
  const V a1 = leading_half(a), b1 = leading_half(b), a2 = a - a1, b2 = b - b1;  // products of halves are exact
  const V upper = rounded(a1 * b1), one = rounded(a1 * b2), two = rounded(a2 * b1), lower = rounded(a2 * b2);
  return lower - (((product - upper) - one) - two);
}

}  // namespace detail

template <class L>
struct DoubleDoubleLanes {
  using V = typename L::Values;
  using Mask = typename L::Mask;

  L high, low;

  DoubleDoubleLanes() = default;
  HOLO_INLINE DoubleDoubleLanes(double value) : high(value), low(0.0) {}  // NOLINT: constants mix with scalars
  HOLO_INLINE DoubleDoubleLanes(L value) : high(value), low(0.0) {}       // NOLINT: as above
  HOLO_INLINE DoubleDoubleLanes(L high_part, L low_part) : high(high_part), low(low_part) {}

  HOLO_INLINE L value() const { return high + low; }

  // a + b, any sizes.
  static HOLO_INLINE DoubleDoubleLanes sum(L a, L b) {
    const L s = a + b, part = s - a;
    return {s, (a - (s - part)) + (b - part)};
  }
  // a + b, b small against a.
  static HOLO_INLINE DoubleDoubleLanes ordered_sum(L a, L b) {
    const L s = a + b;
    return {s, b - (s - a)};
  }
  static HOLO_INLINE DoubleDoubleLanes product(L a, L b) {
    const V p = detail::rounded((a * b).values);
    return {L::of(p), L::of(detail::product_error(a.values, b.values, p))};
  }

  friend HOLO_INLINE DoubleDoubleLanes operator+(const DoubleDoubleLanes& a) { return a; }
  friend HOLO_INLINE DoubleDoubleLanes operator-(const DoubleDoubleLanes& a) { return {-a.high, -a.low}; }
  friend HOLO_INLINE DoubleDoubleLanes operator+(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) {
    const DoubleDoubleLanes s = sum(a.high, b.high);
    return ordered_sum(s.high, s.low + (a.low + b.low));
  }
  friend HOLO_INLINE DoubleDoubleLanes operator-(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) { return a + (-b); }
  friend HOLO_INLINE DoubleDoubleLanes operator*(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) {
    const DoubleDoubleLanes p = product(a.high, b.high);
    return ordered_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
  }
  friend HOLO_INLINE DoubleDoubleLanes operator/(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) {
    const L quotient = a.high / b.high;
    return ordered_sum(quotient, (a - b * quotient).high / b.high);
  }
  HOLO_INLINE DoubleDoubleLanes& operator+=(const DoubleDoubleLanes& b) { return *this = *this + b; }
  HOLO_INLINE DoubleDoubleLanes& operator-=(const DoubleDoubleLanes& b) { return *this = *this - b; }
  HOLO_INLINE DoubleDoubleLanes& operator*=(const DoubleDoubleLanes& b) { return *this = *this * b; }
  HOLO_INLINE DoubleDoubleLanes& operator/=(const DoubleDoubleLanes& b) { return *this = *this / b; }

  friend HOLO_INLINE Mask operator==(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) {
    return (a.high == b.high) & (a.low == b.low);
  }
  friend HOLO_INLINE Mask operator<(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) {
    return (a.high < b.high) | ((a.high == b.high) & (a.low < b.low));
  }
  friend HOLO_INLINE Mask operator<=(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) { return (a < b) | (a == b); }
  friend HOLO_INLINE Mask operator>(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) { return b < a; }
  friend HOLO_INLINE Mask operator>=(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) { return b <= a; }
  friend HOLO_INLINE Mask operator!=(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) { return !(a == b); }
  friend HOLO_INLINE DoubleDoubleLanes select(Mask condition, const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) {
    return {select(condition, a.high, b.high), select(condition, a.low, b.low)};
  }
  // A NaN of either argument stays: no comparison holds of it, not even with itself.
  friend HOLO_INLINE DoubleDoubleLanes min(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) {
    return select((b < a) | (b != b), b, a);
  }
  friend HOLO_INLINE DoubleDoubleLanes max(const DoubleDoubleLanes& a, const DoubleDoubleLanes& b) {
    return select((a < b) | (b != b), b, a);
  }
  friend HOLO_INLINE DoubleDoubleLanes abs(const DoubleDoubleLanes& a) { return select(a.high < L(0.0), -a, a); }

  // One step of Newton's method from the root of the higher half doubles its digits.
  friend HOLO_INLINE DoubleDoubleLanes sqrt(const DoubleDoubleLanes& x) {
    const L root = sqrt(x.high);
    return ordered_sum(root, (x - product(root, root)).high / (2.0 * root));
  }
  friend HOLO_INLINE DoubleDoubleLanes cbrt(const DoubleDoubleLanes& x) {
    const L root = cbrt(x.high);
    return ordered_sum(root, (x - product(root, root) * root).high / (3.0 * (root * root)));
  }
  friend HOLO_INLINE DoubleDoubleLanes log1p(const DoubleDoubleLanes& x) {
    return ordered_sum(log1p(x.high), x.low / (1.0 + x.high));
  }
  friend HOLO_INLINE DoubleDoubleLanes log(const DoubleDoubleLanes& x) {
    const auto near_one = (x.high > L(0.5)) & (x.high < L(2.0));
    return select(near_one, log1p(x - 1.0), ordered_sum(log(x.high), x.low / x.high));
  }
  friend HOLO_INLINE DoubleDoubleLanes expm1(const DoubleDoubleLanes& x) {
    const L value = expm1(x.high);
    return ordered_sum(value, (1.0 + value) * x.low);
  }
  friend HOLO_INLINE DoubleDoubleLanes exp(const DoubleDoubleLanes& x) {
    const L value = exp(x.high);
    return select(abs(x.high) < L(0.5), 1.0 + expm1(x), ordered_sum(value, value * x.low));
  }
  friend HOLO_INLINE DoubleDoubleLanes pow(const DoubleDoubleLanes& x, int exponent) {
    DoubleDoubleLanes result(1.0), power = x;
    for (unsigned left = exponent < 0 ? 0u - unsigned(exponent) : unsigned(exponent); left != 0; left >>= 1) {
      if (left & 1u) result = result * power;
      power = power * power;
    }
    return exponent < 0 ? 1.0 / result : result;
  }
  friend HOLO_INLINE DoubleDoubleLanes pow(const DoubleDoubleLanes& x, const DoubleDoubleLanes& exponent) {
    const DoubleDoubleLanes power = exponent * log(x);
    const L value = pow(x.high, exponent.high);
    const L correction = value * (exponent.high * x.low / x.high + log(x.high) * exponent.low);
    return select(abs(power.high) < L(0.5), 1.0 + expm1(power), ordered_sum(value, correction));
  }
  friend HOLO_INLINE DoubleDoubleLanes pow(const DoubleDoubleLanes& x, double exponent) {
    if (const int thirds = vector_math::thirds_of(exponent))
      return pow(select(x.high < L(0.0), DoubleDoubleLanes(std::nan("")), cbrt(x)), thirds);
    return pow(x, DoubleDoubleLanes(exponent));
  }

#define HOLO_FIRST_ORDER(name, slope)                                     \
  friend HOLO_INLINE DoubleDoubleLanes name(const DoubleDoubleLanes& a) { \
    const L x = a.high, y = name(x);                                      \
    return ordered_sum(y, (slope)*a.low);                                 \
  }
  HOLO_FIRST_ORDER(sin, cos(x))
  HOLO_FIRST_ORDER(cos, -sin(x))
  HOLO_FIRST_ORDER(tan, 1.0 + y * y)
  HOLO_FIRST_ORDER(asin, 1.0 / sqrt((1.0 - x) * (1.0 + x)))
  HOLO_FIRST_ORDER(acos, -1.0 / sqrt((1.0 - x) * (1.0 + x)))
  HOLO_FIRST_ORDER(atan, 1.0 / (1.0 + x * x))
  HOLO_FIRST_ORDER(sinh, cosh(x))
  HOLO_FIRST_ORDER(cosh, sinh(x))
  HOLO_FIRST_ORDER(tanh, (1.0 - y) * (1.0 + y))
#undef HOLO_FIRST_ORDER
  friend HOLO_INLINE DoubleDoubleLanes atan2(const DoubleDoubleLanes& y, const DoubleDoubleLanes& x) {
    const L square = x.high * x.high + y.high * y.high;
    return ordered_sum(atan2(y.high, x.high), (x.high * y.low - y.high * x.low) / square);
  }
  friend HOLO_INLINE DoubleDoubleLanes hypot(const DoubleDoubleLanes& x, const DoubleDoubleLanes& y) {
    return sqrt(x * x + y * y);
  }
};

}  // namespace holo
