#pragma once
// Cube roots and powers of thirds of a compiler's vector of doubles, without a call and without a division: the power J^(-2/3)
// of solids takes a quarter of the time of a vector pow, whose call also sends every register to memory. Integer arithmetic on
// the exponents alone, so the same code serves every instruction set.
//
// Error: 1.7 units of 2^-53 for x^(-1/3), 1.4 for the cube root; without fused products 1.9 and 1.8. Special values as in
// std::cbrt and std::pow.

#include <cstdint>
#include <limits>

#include "holo/core/host_device.h"

namespace holo::vector_math {

namespace detail {

template <class V>
struct Integers {
  typedef std::int64_t Type __attribute__((vector_size(sizeof(V))));
};

// x = mantissa 8^third, mantissa in [0.5, 4), for a positive and normal x.
template <class V>
struct CubeParts {
  using I = typename Integers<V>::Type;
  V mantissa;
  I third;

  explicit HOLO_INLINE CubeParts(V x) {
    constexpr double shift = 0x1.8p52;  // its sum with a small number has this number, rounded, in its last bits
    const I bits = (I)x, biased = bits >> 52;
    const V exponent = (V)(biased | (I)(V{} + 0x1p52)) - 0x1p52;
    third = (I)(exponent * (1.0 / 3.0) + shift) - (I)(V{} + shift);
    const I rest = biased - (third + third + third);  // -1, 0 or 1
    mantissa = (V)((bits & 0xFFFFFFFFFFFFF) | ((rest + 1023) << 52));
    third -= 341;  // the bias, 1023 = 3 x 341
  }
};

// mantissa^(-1/3): a cubic that is right to 1.7 %, a step of fourth order and one of third.
template <class V>
HOLO_INLINE V inverse_cube_root_of_mantissa(V m) {
  V r = ((-0.025655811018987684 * m + 0.2311323961068201) * m - 0.7487740903212742) * m + 1.5585836822008199;
  const V first = 1.0 - (m * r) * (r * r);
  r += r * first * (1.0 / 3.0 + first * (2.0 / 9.0 + first * (14.0 / 81.0)));
  const V second = 1.0 - (m * r) * (r * r);
  return r + r * (second * (1.0 / 3.0 + second * (2.0 / 9.0)));
}

// 2^n for a whole n of a normal result.
template <class I>
HOLO_INLINE I bits_of_power_of_two(I n) {
  return (n + 1023) << 52;
}

// |x| and, for a subnormal, 2^54 |x|.
template <class V>
HOLO_INLINE V normalized(V magnitude) {
  return magnitude < std::numeric_limits<double>::min() ? magnitude * 0x1p54 : magnitude;
}
template <class V>
HOLO_INLINE V magnitude_of(V x) {
  using I = typename Integers<V>::Type;
  return (V)((I)x & 0x7FFFFFFFFFFFFFFF);
}

}  // namespace detail

// x^(-1/3); +inf at both zeros, 0 at +inf, NaN below zero.
template <class V>
HOLO_INLINE V inverse_cube_root(V x) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  using I = typename detail::Integers<V>::Type;
  const V magnitude = detail::magnitude_of(x);
  const detail::CubeParts<V> parts(detail::normalized(magnitude));
  const V root = detail::inverse_cube_root_of_mantissa(parts.mantissa) * (V)detail::bits_of_power_of_two<I>(-parts.third);
  const V finite = magnitude < std::numeric_limits<double>::min() ? root * 0x1p18 : root;
  const V positive = x < infinity ? finite : (x == infinity ? V{} : x);  // a NaN stays
  return x > 0.0 ? positive : (x == 0.0 ? V{} + infinity : V{} + nan);
}

// The real cube root, of negative numbers too.
template <class V>
HOLO_INLINE V cube_root(V x) {
  using I = typename detail::Integers<V>::Type;
  const V magnitude = detail::magnitude_of(x);
  const detail::CubeParts<V> parts(detail::normalized(magnitude));
  const V m = parts.mantissa, r = detail::inverse_cube_root_of_mantissa(m), estimate = m * (r * r);
  const V corrected = estimate + (m - estimate * (estimate * estimate)) * (r * r) * (1.0 / 3.0);
  const V root = corrected * (V)detail::bits_of_power_of_two<I>(parts.third);
  const V scaled = magnitude < std::numeric_limits<double>::min() ? root * 0x1p-18 : root;
  const V signed_root = (V)((I)scaled | ((I)x & std::numeric_limits<std::int64_t>::min()));
  return magnitude > 0.0 && magnitude < std::numeric_limits<double>::infinity() ? signed_root : x;
}

// The whole number k if the exponent is the double next to k/3, k no multiple of 3 and small; else 0.
constexpr int thirds_of(double exponent) {
  if (!(exponent > -6.0 && exponent < 6.0)) return 0;
  const double thirds = 3.0 * exponent;
  const int k = int(thirds < 0.0 ? thirds - 0.5 : thirds + 0.5);
  return k % 3 != 0 && exponent == double(k) / 3.0 ? k : 0;
}

// x^(k/3) for a k from thirds_of(); a power of the double next to k/3 differs from it by 4e-17 |log x| of its value.
template <class V>
HOLO_INLINE V power_of_thirds(V x, int k) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  // std::pow has no powers of negative numbers here, but for -inf those of +inf; those of both zeros are the same.
  const V base = x >= 0.0 ? x + 0.0 : (x == -infinity ? V{} + infinity : V{} + nan);
  V power = k < 0 ? inverse_cube_root(base) : cube_root(base);
  V result = V{} + 1.0;
  for (int left = k < 0 ? -k : k; left != 0; left >>= 1) {
    if (left & 1) result = result * power;
    power = power * power;
  }
  return result;
}

}  // namespace holo::vector_math
