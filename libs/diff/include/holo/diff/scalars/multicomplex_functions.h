#pragma once
// The elementary functions of multicomplex numbers. Included by holo/diff/scalars/multicomplex.h.

#include "holo/diff/scalars/multicomplex.h"

namespace holo {
namespace detail {

// sum_k d_k / k! w^k with w the imaginary part of z.
template <int order, int n, class T>
HOLO_FN constexpr Multicomplex<n, T> power_series(const Multicomplex<n, T>& z, const T* d) {
  const Multicomplex<n, T> w = z.with_value(T(0.0));
  T factorial = T(1.0);
  for (int k = 2; k <= order; ++k) factorial = factorial * double(k);
  Multicomplex<n, T> result(T(d[order] / factorial));
  for (int k = order - 1; k >= 0; --k) {
    factorial = factorial / double(k + 1);
    result = result * w + T(d[k] / factorial);
  }
  return result;
}

// `sequence(order)` gives the derivatives at the real part, `distance` is how far the nearest singular point is, `whole` is the
// function for numbers with fewer units.
template <int n, class T, class Derivatives, class Whole>
HOLO_FN constexpr Multicomplex<n, T> hybrid(const Multicomplex<n, T>& z, const T& distance, Derivatives sequence, Whole whole) {
  // Terms left out: order n + 3 of 1e-7, and n + 15 of 1/16, against the n-th that is wanted.
  constexpr int few = n + 2, many = n + 14;
  const T size = z.imaginary_size();
  if (size < 1e-7 * distance) return power_series<few>(z, sequence(std::integral_constant<int, few>()).d);
  if (size * double(1 << n) < 0.0625 * distance) {
    const Multicomplex<n, T> y = power_series<many>(z, sequence(std::integral_constant<int, many>()).d);
    if (isfinite(y)) return y;  // high derivatives may overflow
  }
  return by_idempotents(whole, z);
}

template <class T>
HOLO_INLINE constexpr T distance_to_unit_points(const T& x) {
  return min(T(1.0 - x), T(1.0 + x));
}

}  // namespace detail

// Singular points: 0, 0, 0, -1, +-1, +-1, +-i, odd multiples of pi/2, the same times i.
#define HOLO_MULTICOMPLEX_HYBRID(name, distance)                                                        \
  template <int n, class T>                                                                             \
  HOLO_FN constexpr Multicomplex<n, T> name(const Multicomplex<n, T>& z) {                              \
    const T& x = z.value();                                                                             \
    return detail::hybrid(                                                                              \
        z, T(distance), [&](auto order) { return detail::name##_sequence<decltype(order)::value>(x); }, \
        [](const auto& part) { return name(part); });                                                   \
  }
HOLO_MULTICOMPLEX_HYBRID(sqrt, x)
HOLO_MULTICOMPLEX_HYBRID(cbrt, abs(x))
HOLO_MULTICOMPLEX_HYBRID(log, x)
HOLO_MULTICOMPLEX_HYBRID(log1p, 1.0 + x)
HOLO_MULTICOMPLEX_HYBRID(asin, detail::distance_to_unit_points(x))
HOLO_MULTICOMPLEX_HYBRID(acos, detail::distance_to_unit_points(x))
HOLO_MULTICOMPLEX_HYBRID(atan, 1.0 + 0.0 * x)
HOLO_MULTICOMPLEX_HYBRID(tan, abs(cos(x)))
HOLO_MULTICOMPLEX_HYBRID(tanh, 1.0 + 0.0 * x)
HOLO_MULTICOMPLEX_HYBRID(erf, 1.0 + 0.0 * x)
#undef HOLO_MULTICOMPLEX_HYBRID

template <int n, class T>
HOLO_FN constexpr Multicomplex<n, T> real_power(const Multicomplex<n, T>& z, const T& p) {
  return detail::hybrid(
      z, z.value(),
      [&](auto order) { return detail::power_sequence<decltype(order)::value, T>(pow(z.value(), p), z.value(), double(p)); },
      [&](const auto& part) { return real_power(part, p); });
}

// exp(p + i q) = exp(p) (cos q + i sin q), and its kin, one unit at a time: exact for every step. `even` and `odd` of the unit:
// cosh and sinh of i q are cos q and i sin q.
#define HOLO_MULTICOMPLEX_ENTIRE(name, real_part, imaginary_part)          \
  template <int n, class T>                                                \
  HOLO_FN constexpr Multicomplex<n, T> name(const Multicomplex<n, T>& z) { \
    const auto p = detail::part(z, 0), q = detail::part(z, 1);             \
    return detail::join<n, T>(real_part, imaginary_part);                  \
  }
#define HOLO_MULTICOMPLEX_DECLARE(name) \
  template <int n, class T>             \
  HOLO_FN constexpr Multicomplex<n, T> name(const Multicomplex<n, T>& z);
HOLO_MULTICOMPLEX_DECLARE(exp)
HOLO_MULTICOMPLEX_DECLARE(expm1)
HOLO_MULTICOMPLEX_DECLARE(sin)
HOLO_MULTICOMPLEX_DECLARE(cos)
HOLO_MULTICOMPLEX_DECLARE(sinh)
HOLO_MULTICOMPLEX_DECLARE(cosh)
HOLO_MULTICOMPLEX_ENTIRE(exp, exp(p) * cos(q), exp(p) * sin(q))
HOLO_MULTICOMPLEX_ENTIRE(sin, sin(p) * cosh(q), cos(p) * sinh(q))
HOLO_MULTICOMPLEX_ENTIRE(cos, cos(p) * cosh(q), -sin(p) * sinh(q))
HOLO_MULTICOMPLEX_ENTIRE(sinh, sinh(p) * cos(q), cosh(p) * sin(q))
HOLO_MULTICOMPLEX_ENTIRE(cosh, cosh(p) * cos(q), sinh(p) * sin(q))
HOLO_MULTICOMPLEX_ENTIRE(expm1, expm1(p) * cos(q) - 2.0 * square(sin(0.5 * q)), exp(p) * sin(q))
#undef HOLO_MULTICOMPLEX_ENTIRE
#undef HOLO_MULTICOMPLEX_DECLARE

}  // namespace holo
