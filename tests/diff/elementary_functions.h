#pragma once
// Every elementary function, with its ranges and its form in 100-digit arithmetic: the one list that the tests of all scalars
// run over. UNARY(expression of x, range of x, expected), BINARY(expression of x and y, ranges of x and y, expected).

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace holo {

namespace mp = boost::multiprecision;
using Reference = mp::number<mp::cpp_bin_float<100>, mp::et_off>;

// Functions that Boost has only in its Math library, whose headers take long to compile.
inline Reference odd_root(const Reference& x, int q, int m) {
  const Reference root = mp::exp(Reference(q) / m * mp::log(mp::abs(x)));
  return x < 0 && q % 2 != 0 ? Reference(-root) : root;
}
inline Reference error_function(const Reference& x) {
  Reference term = x, sum = x;
  for (int k = 1; mp::abs(term) > 1e-110; ++k) {
    term *= -x * x / k;
    sum += term / (2 * k + 1);
  }
  return 2 * sum / mp::sqrt(mp::acos(Reference(-1)));
}
// 1 - cos x loses two digits for each that x is small by, which a difference of order five divides by the step to the fifth.
inline Reference one_minus_cosine_over_square(const Reference& x) {
  const Reference half = mp::sin(x / 2) / x;
  return 2 * half * half;
}
inline Reference larger(const Reference& x, const Reference& y) { return x < y ? y : x; }
inline Reference smaller(const Reference& x, const Reference& y) { return y < x ? y : x; }

// clang-format off
#define HOLO_ELEMENTARY_FUNCTIONS(UNARY, BINARY) \
  UNARY(-x, -3, 3, -x) \
  UNARY(+x, -3, 3, x) \
  UNARY(x + 2, -3, 3, x + 2) \
  UNARY(2.5 + x, -3, 3, 2.5 + x) \
  UNARY(x - 2.5, -3, 3, x - 2.5) \
  UNARY(2 - x, -3, 3, 2 - x) \
  UNARY(x * 3, -3, 3, x * 3) \
  UNARY(0.7 * x, -3, 3, Reference(0.7) * x) \
  UNARY(x / 3.0, -3, 3, x / 3) \
  UNARY(3 / x, -3, -0.1, 3 / x) \
  UNARY(sqrt(x), 0.01, 9, mp::sqrt(x)) \
  UNARY(cbrt(x), 0.01, 9, odd_root(x, 1, 3)) \
  UNARY(cbrt(-x), 0.01, 9, odd_root(-x, 1, 3)) \
  UNARY(exp(x), -9, 9, mp::exp(x)) \
  UNARY(expm1(x), -9, 9, mp::exp(x) - 1) \
  UNARY(expm1(x), -1e-3, 1e-3, mp::exp(x) - 1) \
  UNARY(log(x), 0.01, 9, mp::log(x)) \
  UNARY(log1p(x), -0.9, 9, mp::log(1 + x)) \
  UNARY(log1p(x), -1e-3, 1e-3, mp::log(1 + x)) \
  UNARY(sin(x), -7, 7, mp::sin(x)) \
  UNARY(cos(x), -7, 7, mp::cos(x)) \
  UNARY(tan(x), -1.5, 1.5, mp::tan(x)) \
  UNARY(asin(x), -0.99, 0.99, mp::asin(x)) \
  UNARY(acos(x), -0.99, 0.99, mp::acos(x)) \
  UNARY(atan(x), -5, 5, mp::atan(x)) \
  UNARY(sinh(x), -5, 5, mp::sinh(x)) \
  UNARY(cosh(x), -5, 5, mp::cosh(x)) \
  UNARY(tanh(x), -5, 5, mp::tanh(x)) \
  UNARY(tanh(x), 12, 18, mp::tanh(x)) \
  UNARY(erf(x), -3, 3, error_function(x)) \
  UNARY(sinc(x), -6, 6, mp::sin(x) / x) \
  UNARY(sinc(x), -0.01, 0.01, mp::sin(x) / x) \
  UNARY(sinhc(x), -6, 6, mp::sinh(x) / x) \
  UNARY(one_minus_cos_over_square(x), -6, 6, one_minus_cosine_over_square(x)) \
  UNARY(one_minus_cos_over_square(x), -0.01, 0.01, one_minus_cosine_over_square(x)) \
  UNARY(pow(x, 5), -2, 2, x * x * x * x * x) \
  UNARY(pow(x, -3), 0.1, 2, 1 / (x * x * x)) \
  UNARY(pow(x, 0), -2, 2, Reference(1)) \
  UNARY(pow(x, 4.0), -2, -0.1, x * x * x * x) \
  UNARY(pow(x, 2.3), 0.1, 4, mp::pow(x, Reference(2.3))) \
  UNARY(pow(x, -0.4), 0.1, 4, mp::pow(x, Reference(-0.4))) \
  UNARY((rational_pow<2, 3>(x)), -4, -0.1, odd_root(x, 2, 3)) \
  UNARY((rational_pow<-3, 5>(x)), -4, -0.1, odd_root(x, -3, 5)) \
  UNARY((rational_pow<6, 10>(x)), 0.1, 4, odd_root(x, 3, 5)) \
  UNARY((rational_pow<3, 2>(x)), 0.1, 4, mp::pow(x, Reference(1.5))) \
  UNARY((rational_pow<3, 4>(x)), 0.1, 4, mp::pow(x, Reference(0.75))) \
  UNARY((rational_pow<4, 2>(x)), -4, 4, x * x) \
  UNARY(pow(1.7, x), -3, 3, mp::pow(Reference(1.7), x)) \
  UNARY(pow(2, x), -3, 3, mp::pow(Reference(2), x)) \
  UNARY(abs(x), -3, 3, mp::abs(x)) \
  UNARY(atan2(x, 1.5), -3, 3, mp::atan2(x, Reference(1.5))) \
  UNARY(atan2(-1, x), -3, 3, mp::atan2(Reference(-1), x)) \
  UNARY(hypot(x, 2), -3, 3, mp::sqrt(x * x + 4)) \
  UNARY(max(x, 0.5), -3, 3, larger(x, Reference(0.5))) \
  UNARY(min(0.5, x), -3, 3, smaller(x, Reference(0.5))) \
  UNARY(clamp(x, -1, 2.0), -3, 3, smaller(larger(x, Reference(-1)), Reference(2))) \
  UNARY(select(x < 1.0, x * x, 2.0), -3, 3, x < 1 ? Reference(x * x) : Reference(2)) \
  UNARY(floor(x) * x, -3, 3, mp::floor(x) * x) \
  UNARY(ceil(x) * x, -3, 3, mp::ceil(x) * x) \
  UNARY(round(x) * x, -3, 3, mp::round(x) * x) \
  UNARY(sign(x) * x, -3, 3, mp::abs(x)) \
  BINARY(x + y, -3, 3, -3, 3, x + y) \
  BINARY(x - y, -3, 3, -3, 3, x - y) \
  BINARY(x * y, -3, 3, -3, 3, x * y) \
  BINARY(x / y, -3, 3, 0.2, 3, x / y) \
  BINARY(pow(x, y), 0.1, 4, -3, 3, mp::pow(x, y)) \
  BINARY(atan2(y, x), -3, 3, -3, 3, mp::atan2(y, x)) \
  BINARY(hypot(x, y), -3, 3, -3, 3, mp::sqrt(x * x + y * y)) \
  BINARY(hypot(x, y, 0.3), -3, 3, -3, 3, mp::sqrt(x * x + y * y + Reference(0.3) * Reference(0.3))) \
  BINARY(min(x, y), -3, 3, -3, 3, smaller(x, y)) \
  BINARY(max(x, y), -3, 3, -3, 3, larger(x, y)) \
  BINARY(select(x > y, x * y, x + y), -3, 3, -3, 3, x > y ? Reference(x * y) : Reference(x + y))
// clang-format on

}  // namespace holo
