#pragma once
// Functions and derivatives by other means, for the tests of the tape.

#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "holo/diff/drivers.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo::test {

// Uses each elementary function once or more, with a full Hessian; smooth at points() and around.
inline constexpr auto everything = [](const auto& x) {
  using S = std::remove_cvref_t<decltype(x[0])>;
  const S a = x[0], b = x[1], c = x[2], d = x[3];
  S f = sqrt(a * b + 2.0) + cbrt(b - c * c) * exp(0.3 * a * d) + expm1(b * c) + log(2.0 + a * a) - log1p(c * c * d * d);
  f += sin(a * c) * cos(b) + tan(0.3 * d) + asin(0.3 * a * b) + acos(0.2 * c * d) + atan(a - d) / (1.0 + b * b);
  f += sinh(0.5 * c) * cosh(a * d) + tanh(b * d) + sinc(a * b) + sinhc(c) * one_minus_cos_over_square(a + c);
  f += pow(a * a + 1.0, 1.7) + pow(c, 3) + pow(b * b + 1.0, 0.5 * d) + pow(d + 5.0, -2) + 2.0 / (3.0 + sin(d));
  f += atan2(a + 3.0, d) * hypot(b, c) + abs(c - 4.0) * max(a, b - 10.0) - min(c, d + 10.0) + clamp(a, -5.0, 5.0);
  f -= select(a < b, a * b, c * d) * (1.0 - d) + erf(a * c) + hypot(a, b, c + 3.0) + floor(a) * c;
  return f;
};
inline std::vector<double> point() { return {0.7, -1.3, 0.4, 0.9}; }

inline double largest(std::span<const double> a) {
  double result = 0;
  for (double x : a) result = std::fmax(result, std::abs(x));
  return result;
}
inline double difference(std::span<const double> a, std::span<const double> b) {
  double result = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    if (!(d <= result)) result = d;
  }
  return result;
}

}  // namespace holo::test
