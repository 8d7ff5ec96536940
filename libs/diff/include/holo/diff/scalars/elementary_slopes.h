#pragma once
// The elementary functions of one argument, and their slopes in terms of the argument and the value: once for the numbers that
// a tape evaluates and for the nodes that a graph builds.

#include "holo/diff/scalars/elementary.h"

// All of them, by their names in holo/diff/scalars/elementary.h.
#define HOLO_UNARY_FUNCTIONS(FUNCTION) \
  HOLO_UNARY_SLOPES(FUNCTION)          \
  FUNCTION(asin)                       \
  FUNCTION(acos)                       \
  FUNCTION(tanh)

// The slope f'(x) is a closed form of x and z = f(x) that loses no digits, neither itself nor in its own slopes. Those of asin,
// acos and tanh cancel; tapes and graphs each evaluate them in their own way.
#define HOLO_UNARY_SLOPES(FUNCTION)                                                              \
  FUNCTION(sqrt, 0.5 / z)                                                                        \
  FUNCTION(cbrt, (1.0 / 3.0) / (z * z)) /* not z / (3 x): 1 / x is infinite for a subnormal x */ \
  FUNCTION(exp, z)                                                                               \
  FUNCTION(expm1, exp(x)) /* not z + 1, which cancels for x << 0 */                              \
  FUNCTION(log, 1.0 / x)                                                                         \
  FUNCTION(log1p, 1.0 / (1.0 + x))                                                               \
  FUNCTION(sin, cos(x))                                                                          \
  FUNCTION(cos, -sin(x))                                                                         \
  FUNCTION(tan, 1.0 + z * z)                                                                     \
  FUNCTION(atan, 1.0 / (1.0 + x * x))                                                            \
  FUNCTION(sinh, cosh(x))                                                                        \
  FUNCTION(cosh, sinh(x))

namespace holo {

// sqrt_slope(x, z), ... of any scalar.
#define HOLO_DEFINE_SLOPE(name, slope)                                                                \
  template <class Scalar>                                                                             \
  constexpr Scalar name##_slope([[maybe_unused]] const Scalar& x, [[maybe_unused]] const Scalar& z) { \
    return slope;                                                                                     \
  }
HOLO_UNARY_SLOPES(HOLO_DEFINE_SLOPE)
#undef HOLO_DEFINE_SLOPE

}  // namespace holo
