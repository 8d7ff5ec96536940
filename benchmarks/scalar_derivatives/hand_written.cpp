// By hand, as an author who wants speed would write it, in several ways: the fastest is the yardstick.
#include <cmath>

#include "kernels.h"

namespace holo::benchmark {
namespace {

// (e / D)' = e (D - D') / D^2.
double first_quotient_rule(double x) {
  const double q = x * x, D = q * q + q + 1, slope = x * (4 * q + 2), inverse = 1 / D;
  return std::exp(x) * ((D - slope) * (inverse * inverse));
}
double first_expanded(double x) {
  const double q = x * x, D = q * q + q + 1, inverse = 1 / D;
  return std::exp(x) * (((((x - 4) * x + 1) * x - 2) * x + 1) * (inverse * inverse));
}
double first_one_division(double x) {
  const double q = x * x, D = q * q + q + 1;
  return std::exp(x) * (D - x * (4 * q + 2)) / (D * D);
}
// f = e / D, f' = f - f D'/D.
double first_recursive(double x) {
  const double q = x * x, D = q * q + q + 1, inverse = 1 / D, f = std::exp(x) * inverse;
  return f - f * (x * (4 * q + 2)) * inverse;
}

double second_expanded(double x) {
  const double q = x * x, D = q * q + q + 1, inverse = 1 / D;
  const double numerator = (((((((x - 8) * x + 22) * x - 12) * x + 21) * x - 12) * x - 4) * x - 4) * x - 1;
  return std::exp(x) * (numerator * (inverse * inverse * inverse));
}
// The same polynomial in two halves, which run beside one another.
double second_even_odd(double x) {
  const double q = x * x, D = q * q + q + 1, inverse = 1 / D;
  const double even = (((q + 22) * q + 21) * q - 4) * q - 1, odd = ((-8 * q - 12) * q - 12) * q - 4;
  return std::exp(x) * ((even + x * odd) * (inverse * inverse * inverse));
}
// f'' = (e - 2 f' D' - f D'') / D.
double second_recursive(double x) {
  const double q = x * x, D = q * q + q + 1, D1 = x * (4 * q + 2), D2 = 12 * q + 2, inverse = 1 / D;
  const double e = std::exp(x), f = e * inverse, f1 = (e - f * D1) * inverse;
  return (e - 2 * f1 * D1 - f * D2) * inverse;
}
// f'' = f (1 - 2 u + 2 u^2 - D''/D) with u = D'/D.
double second_logarithmic(double x) {
  const double q = x * x, D = q * q + q + 1, inverse = 1 / D, u = x * (4 * q + 2) * inverse;
  return std::exp(x) * (inverse * (1 - 2 * u + 2 * u * u - (12 * q + 2) * inverse));
}

double third_expanded(double x) {
  const double q = x * x, D = q * q + q + 1, inverse = 1 / D, inverse2 = inverse * inverse;
  double n = x - 12;
  for (double c : {63., -150., 120., -192., 103., 102., 36., 96., -21., -6., -5.}) n = n * x + c;
  return std::exp(x) * (n * (inverse2 * inverse2));
}
double third_even_odd(double x) {
  const double q = x * x, D = q * q + q + 1, inverse = 1 / D, inverse2 = inverse * inverse;
  const double even = (((((q + 63) * q + 120) * q + 103) * q + 36) * q - 21) * q - 5;
  const double odd = ((((-12 * q - 150) * q - 192) * q + 102) * q + 96) * q - 6;
  return std::exp(x) * ((even + x * odd) * (inverse2 * inverse2));
}
// f''' = (e - 3 f'' D' - 3 f' D'' - f D''') / D.
double third_recursive(double x) {
  const double q = x * x, D = q * q + q + 1, D1 = x * (4 * q + 2), D2 = 12 * q + 2, D3 = 24 * x, inverse = 1 / D;
  const double e = std::exp(x), f = e * inverse, f1 = (e - f * D1) * inverse, f2 = (e - 2 * f1 * D1 - f * D2) * inverse;
  return (e - 3 * (f2 * D1 + f1 * D2) - f * D3) * inverse;
}
// f''' = f (1 - 3 u + 6 u^2 - 6 u^3 + (6 u - 3) v - w) with u, v, w = D', D'', D''' over D.
double third_logarithmic(double x) {
  const double q = x * x, D = q * q + q + 1, inverse = 1 / D;
  const double u = x * (4 * q + 2) * inverse, v = (12 * q + 2) * inverse, w = 24 * x * inverse;
  return std::exp(x) * (inverse * (1 - w - 3 * u + u * u * (6 - 6 * u) + (6 * u - 3) * v));
}

}  // namespace

std::vector<Coding> hand_written_codings() {
  constexpr auto role = Coding::Role::hand_written;
  return {
      {"quotient rule", 1, each_point<first_quotient_rule>, role}, {"expanded", 1, each_point<first_expanded>, role},
      {"one division", 1, each_point<first_one_division>, role},   {"recursive", 1, each_point<first_recursive>, role},
      {"expanded", 2, each_point<second_expanded>, role},          {"even and odd", 2, each_point<second_even_odd>, role},
      {"recursive", 2, each_point<second_recursive>, role},        {"logarithmic", 2, each_point<second_logarithmic>, role},
      {"expanded", 3, each_point<third_expanded>, role},           {"even and odd", 3, each_point<third_even_odd>, role},
      {"recursive", 3, each_point<third_recursive>, role},         {"logarithmic", 3, each_point<third_logarithmic>, role},
  };
}

}  // namespace holo::benchmark
