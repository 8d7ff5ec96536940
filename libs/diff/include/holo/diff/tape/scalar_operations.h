#pragma once
// The scalar operations that a tape records, and their partial derivatives, evaluated in the tape's own scalar.

#include <cmath>
#include <cstdint>
#include <limits>

#include "holo/diff/scalars/complex.h"
#include "holo/diff/scalars/derivative_sequences.h"
#include "holo/diff/scalars/elementary_slopes.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo::detail {

enum class TapeOperation : std::uint8_t {
  leaf,
  identity,  // a plus a constant
  negate,    // a constant minus a
  scale,     // a times the constant
  quotient,  // the constant over a
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  hypot,
  power_integer,  // exponent: the constant
  power_real,
// clang-format off
#define HOLO_ENUMERATOR(name, ...) name,
  HOLO_UNARY_FUNCTIONS(HOLO_ENUMERATOR)
#undef HOLO_ENUMERATOR
  // clang-format on
  erf,
  sinc,
  sinhc,
  one_minus_cos_over_square,
  entry,  // of a block
  node    // a matrix-level node
};

// The plain real part of a scalar.
template <class T>
HOLO_INLINE double real_part(const T& x) {
  if constexpr (std::is_arithmetic_v<T>)
    return x;
  else
    return real_part(x.value());
}

// The derivative of sum_j sign^j z^(2j) / (2j + shift)! in full complex arithmetic, to the last digit of both parts.
template <class N>
N even_power_series_slope(const N& z, int shift, double sign) {
  const N square = sign * (z * z);
  double first = sign;
  for (int i = 2; i <= shift + 2; ++i) first /= i;
  N term(first), sum = 2.0 * term;
  for (int j = 2; j < 60; ++j) {
    term = term * square / double((2 * j + shift - 1) * (2 * j + shift));
    const N next = sum + 2.0 * j * term;
    if (next.same_as(sum)) break;
    sum = next;
  }
  return z * sum;
}
template <class N>
N complex_sinc_slope(const N& z) {
  return is_small(z) ? even_power_series_slope(z, 1, -1) : N((cos(z) - holo::sinc(z)) / z);
}
template <class N>
N complex_sinhc_slope(const N& z) {
  return is_small(z) ? even_power_series_slope(z, 1, 1) : N((cosh(z) - holo::sinhc(z)) / z);
}
template <class N>
N complex_one_minus_cos_over_square_slope(const N& z) {
  if (is_small(z, one_minus_cos_series_radius)) return even_power_series_slope(z, 2, -1);
  return (holo::sinc(z) - 2.0 * holo::one_minus_cos_over_square(z)) / z;
}

template <class N>
N complex_tanh_slope(const N& z) {
  const N e = exp(real_part(z) < 0.0 ? N(2.0 * z) : N(-2.0 * z)), s = 1.0 + e;  // 1 - tanh^2 would cancel for large z
  return 4.0 * e / (s * s);
}
template <class N>
N complex_asin_slope(const N& z) {
  return 1.0 / holo::sqrt((1.0 - z) * (1.0 + z));
}

// f'(x) from the derivatives of f at the real part, for functions whose slope has no closed form free of cancellation.
#define HOLO_TAPE_SLOPE(name)                                           \
  template <class T>                                                    \
  HOLO_INLINE T name##_slope(const T& x) {                              \
    if constexpr (requires { T::order; })                               \
      return x.compose(name##_sequence<T::order + 1>(x.value()).d + 1); \
    else if constexpr (std::is_arithmetic_v<T>)                         \
      return name##_sequence<1>(x).d[1];                                \
    else                                                                \
      return complex_##name##_slope(x);                                 \
  }
HOLO_TAPE_SLOPE(sinc)
HOLO_TAPE_SLOPE(sinhc)
HOLO_TAPE_SLOPE(one_minus_cos_over_square)
HOLO_TAPE_SLOPE(asin)  // (1 - x)(1 + x) cancels in its slope near 0
HOLO_TAPE_SLOPE(tanh)  // the closed form of its slope cancels in the slope's own slope near 0
#undef HOLO_TAPE_SLOPE

// The slope of z = x^p, or of the odd root of a negative x. Where z is lost to underflow, its slope need not be.
template <class T>
T power_slope(const T& x, const T& z, double p) {
  const double base = real_part(x), power = real_part(z);
  if (p <= 0.0 || base == 0.0 || !(std::abs(power) < std::numeric_limits<double>::min())) return p * z / x;
  const T slope = p * pow(base < 0.0 ? T(-x) : x, p - 1.0);
  return std::signbit(power) != (base < 0.0) ? T(-slope) : slope;
}

// x/h and y/h of h = hypot(x, y), turned from their real parts: quotients would cancel in their slopes where one is small.
template <class T>
struct DirectionCosines {
  T x, y;

  DirectionCosines(const T& x_, const T& y_, const T& h) {
    if constexpr (std::is_arithmetic_v<T>) {
      x = x_ / h, y = y_ / h;
    } else {
      const auto length = h.value(), c = x_.value() / length, s = y_.value() / length;
      const T along = (c * x_ + s * y_).with_value(length), turn = (c * y_ - s * x_).with_value(0.0 * c) / along;
      const T shrink = 1.0 / sqrt(1.0 + turn * turn);
      x = (c - s * turn) * shrink, y = (s + c * turn) * shrink;
    }
  }
};

// dz/dx of z = f(x), with the constant c of the operation.
template <class T>
T unary_partial(TapeOperation operation, const T& x, const T& z, double c) {
  using enum TapeOperation;
  switch (operation) {
    case quotient:
      return -z / x;
    case power_integer:
      return c * pow(x, int(c) - 1);
    case power_real:
      return power_slope(x, z, c);
#define HOLO_PARTIAL(name, ...) \
  case name:                    \
    return name##_slope(x, z);
      HOLO_UNARY_SLOPES(HOLO_PARTIAL)
#undef HOLO_PARTIAL
    case asin:
      return asin_slope(x);
    case acos:
      return -asin_slope(x);
    case tanh:
      return tanh_slope(x);
    case erf:
      return 1.1283791670955126 * holo::exp(-(x * x));
    case sinc:
      return sinc_slope(x);
    case sinhc:
      return sinhc_slope(x);
    default:
      return one_minus_cos_over_square_slope(x);
  }
}

}  // namespace holo::detail
