// Complex numbers: against 50-digit complex arithmetic, branches, the complex step at every size.
#include "holo/diff/scalars/complex.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_complex.hpp>
#include <cmath>
#include <random>

namespace holo {
namespace {

using C = Complex<double>;
using Reference = boost::multiprecision::cpp_complex_50;

struct ComplexFunction {
  const char* name;
  C (*found)(const C&);
  Reference (*expected)(const Reference&);
};
#define FUNCTION(name)                                                                                  \
  ComplexFunction {                                                                                     \
#name, [](const C& z) { return C(name(z)); }, [](const Reference& z) { return Reference(name(z)); } \
  }
#define EXPRESSION(found_, expected_)                                                                      \
  ComplexFunction {                                                                                        \
#found_, [](const C& z) { return C(found_); }, [](const Reference& z) { return Reference(expected_); } \
  }
const ComplexFunction functions[] = {FUNCTION(sqrt),
                                     FUNCTION(exp),
                                     FUNCTION(log),
                                     FUNCTION(sin),
                                     FUNCTION(cos),
                                     FUNCTION(tan),
                                     FUNCTION(asin),
                                     FUNCTION(acos),
                                     FUNCTION(atan),
                                     FUNCTION(sinh),
                                     FUNCTION(cosh),
                                     FUNCTION(tanh),
                                     EXPRESSION(expm1(z), exp(z) - 1),
                                     EXPRESSION(log1p(z), log(1 + z)),
                                     EXPRESSION(pow(z, 2.3), pow(z, Reference("2.3"))),
                                     EXPRESSION(pow(z, -3), 1 / (z * z * z)),
                                     EXPRESSION(pow(z, z), pow(z, z)),
                                     EXPRESSION(1 / z, 1 / z),
                                     EXPRESSION((2 - z) / (z * z - 3), (2 - z) / (z * z - 3)),
                                     EXPRESSION(sinc(z), sin(z) / z),
                                     EXPRESSION(sinhc(z), sinh(z) / z),
                                     EXPRESSION(one_minus_cos_over_square(z), (1 - cos(z)) / (z * z)),
                                     EXPRESSION(hypot(z, 1.5), sqrt(z* z + Reference("2.25")))};

class ComplexFunctions : public ::testing::TestWithParam<int> {};

TEST_P(ComplexFunctions, EqualFiftyDigitArithmeticOnTheWholePlane) {
  const ComplexFunction& f = functions[GetParam()];
  std::mt19937_64 random(GetParam());
  std::uniform_real_distribution<double> part(-2, 2);
  double magnitude = 0;
  for (int i = 0; i < 300; ++i) {
    const C z(part(random), part(random));
    const Reference w(z.value(), z.imaginary()), expected = f.expected(w);
    const C found = f.found(z);
    const Reference step = Reference("1e-20") * w;
    const double size = double(abs(expected)), sensitivity = double(abs(Reference(f.expected(w + step) - expected))) * 1e20;
    const double error = std::hypot(double(real(expected) - found.value()), double(imag(expected) - found.imaginary()));
    EXPECT_LE(error, 3e-15 * (size + sensitivity)) << f.name << " at " << z.value() << " + " << z.imaginary() << " i";
    magnitude = std::max(magnitude, std::abs(found.imaginary()));
  }
  EXPECT_GT(magnitude, 0);
}
INSTANTIATE_TEST_SUITE_P(Complex, ComplexFunctions, ::testing::Range(0, int(std::size(functions))));

TEST(ComplexErrorFunction, EqualsPublishedValues) {
  const C z = erf(C(0.3, 2.0));
  EXPECT_NEAR(z.value(), 14.0282189851105, 1e-12);
  EXPECT_NEAR(z.imaginary(), 9.15514620403022, 1e-12);
}

TEST(ComplexAlgebra, IsACommutativeField) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> part(-2, 2);
  const auto number = [&] { return C(part(random), part(random)); };
  const auto expect_close = [](const C& a, const C& b) {
    EXPECT_NEAR(a.value(), b.value(), 1e-13 * (1 + b.largest()));
    EXPECT_NEAR(a.imaginary(), b.imaginary(), 1e-13 * (1 + b.largest()));
  };
  for (int i = 0; i < 200; ++i) {
    const C a = number(), b = number(), c = number();
    expect_close(a * b, b * a);
    expect_close((a * b) * c, a * (b * c));
    expect_close(a * (b + c), a * b + a * c);
    expect_close(a / b * b, a);
    expect_close(C(0, 1) * C(0, 1), C(-1));
  }
}

// The argument of complex numbers as the appendix of [Luo2019] takes it.
struct ZeroToTwoPi {
  static constexpr bool halves_into_the_right_half_plane = false;
  static double of(double imaginary, double real) {
    const double angle = std::atan2(imaginary, real);
    return angle < 0 ? angle + 2 * M_PI : angle;
  }
};

// Values and derivatives, by the rule A, of functions whose argument has a negative imaginary part; the largest relative error.
template <class A>
double error_at_negative_seeds() {
  using Number = Complex<double, A>;
  const Number x = Number::seed(0.7, 1.0);
  const auto error = [](const Number& found, double value, double derivative) {
    return std::max(std::abs(found.value() / value - 1), std::abs(found.derivative() / derivative - 1));
  };
  return std::max({error(sqrt(4 - x), std::sqrt(3.3), -0.5 / std::sqrt(3.3)), error(log(5 - x), std::log(4.3), -1 / 4.3),
                   error(pow(3 - x, 0.3), std::pow(2.3, 0.3), -0.3 * std::pow(2.3, -0.7)),
                   error(cbrt(3 - x), std::cbrt(2.3), -std::cbrt(2.3) / 6.9)});
}

TEST(ComplexBranches, ArePrincipalForNegativePerturbations) { EXPECT_LE(error_at_negative_seeds<PrincipalArgument>(), 4e-15); }
TEST(ComplexBranches, OfArgumentsFromZeroToTwoPiAreWrong) {
  EXPECT_GT(error_at_negative_seeds<ZeroToTwoPi>(), 1e20);
  using Number = Complex<double, ZeroToTwoPi>;
  const Number root = sqrt(4 - Number::seed(0.0, 1.0));  // docs/differentiation-claims.md#singular-points
  EXPECT_NEAR(root.value(), -2, 1e-15);
}
TEST(ComplexBranches, TakeTheUpperSideOfTheCut) {
  EXPECT_EQ(sqrt(C(-4, 0.0)).imaginary(), 2);
  EXPECT_EQ(sqrt(C(-4, -0.0)).imaginary(), 2);
  EXPECT_EQ(log(C(-1, -0.0)).imaginary(), M_PI);
  EXPECT_LT(sqrt(C(-4, -1e-40)).imaginary(), 0);
  EXPECT_NEAR(cbrt(C(-8, 1e-40)).value(), -2, 1e-15);  // the real root, not the principal one
}

// [Luo2019] Fig 2: error of second order in the step, and none below 2^-27.
TEST(ComplexStep, FallsWithTheSquareOfTheStepToTheLastDigit) {
  const double exact = 0.00659318319443838172661638222471;
  const auto error = [&](int exponent) {
    const double h = std::ldexp(1.0, -exponent);
    const C x(4.0, h), q = x * x;
    return std::abs((exp(x) / (q * q + q + 1)).imaginary() / h / exact - 1);
  };
  for (int k = 4; k < 20; ++k) EXPECT_NEAR(std::log2(error(k) / error(k + 1)), 2, 0.06) << "at 2^-" << k;
  for (int k = 27; k <= 127; ++k) EXPECT_LE(error(k), 2e-15) << "at 2^-" << k;
}

TEST(ComplexChoices, LookAtRealPartsAndCountKinks) {
  const C x = C::seed(0.0, 1.0);
  const KinkCounters before = kink_counters();
  EXPECT_EQ(abs(x).derivative(), 1);
  EXPECT_EQ(max(x, 0.0).derivative(), 1);
  EXPECT_EQ(sign(x).derivative(), 0);
  EXPECT_EQ(kink_counters().kinks, before.kinks + 2);
  EXPECT_EQ(kink_counters().jumps, before.jumps + 1);
  EXPECT_TRUE(x < 1.0 && !(x < 0.0) && x == 0.0);
  EXPECT_EQ(clamp(2.0 + x, 0, 1).derivative(), 0);
  EXPECT_EQ(select(x > 1.0, x, 3.0 * x).derivative(), 3);
}

}  // namespace
}  // namespace holo
