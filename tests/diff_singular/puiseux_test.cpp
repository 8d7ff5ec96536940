#include "holo/diff/singular/puiseux.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/singular/one_sided.h"

namespace holo {
namespace {

using State = Puiseux::State;

Puiseux right_of(double x, int terms = Puiseux::least_terms) { return Puiseux::seed(x, 1, terms); }
Puiseux left_of(double x, int terms = Puiseux::least_terms) { return Puiseux::seed(x, -1, terms); }

// The coefficients of d^(first/6), d^((first + step)/6), ...
void expect_terms(const Puiseux& y, int lead, int step, const std::vector<double>& coefficients) {
  ASSERT_EQ(y.state(), State::known);
  ASSERT_EQ(y.lead(), lead);
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const int exponent = lead + int(k) * step;
    ASSERT_LT(exponent, y.end());
    EXPECT_NEAR(y.coefficient(exponent), coefficients[k], 4e-16 * std::max(1.0, std::abs(coefficients[k])))
        << "d^" << exponent << "/6";
  }
}

TEST(Puiseux, RootsOfAnInfinitesimalAreFractionalPowers) {
  const Puiseux d = right_of(0);
  expect_terms(sqrt(d), 3, 6, {1});
  expect_terms(cbrt(8.0 * d), 2, 6, {2});
  expect_terms(cbrt(left_of(0)), 2, 6, {-1});
  expect_terms(rational_pow<4, 3>(left_of(0)), 8, 6, {1});
  expect_terms(rational_pow<2, 5>(-32.0 * pow(d, 5)), 12, 6, {4});
  expect_terms(sqrt(d + d * d), 3, 6, {1, 0.5, -0.125, 0.0625});
  expect_terms(pow(d, 1.5), 9, 6, {1});
  EXPECT_TRUE(sqrt(d).is_exact());
  EXPECT_EQ(pow(d, 0.3).state(), State::unrepresentable);
  EXPECT_EQ(sqrt(left_of(0)).state(), State::no_real_value);
  EXPECT_EQ(pow(left_of(0), 0.5).state(), State::no_real_value);
}

TEST(Puiseux, SeriesOfTheElementaryFunctionsAtBranchPointsAndPoles) {
  const Puiseux d = right_of(0);
  const double r = std::sqrt(2.0);
  expect_terms(asin(1.0 - d), 0, 3, {std::asin(1.0), -r, 0, -r / 12, 0, -3 * r / 160});
  expect_terms(acos(1.0 - d), 3, 6, {r, r / 12, 3 * r / 160});
  expect_terms(atan(1.0 / d), 0, 6, {std::asin(1.0), -1, 0, 1.0 / 3});
  expect_terms(atan(1.0 / left_of(0)), 0, 6, {-std::asin(1.0), 1, 0, -1.0 / 3});
  expect_terms(1.0 / sin(d), -6, 6, {1, 0, 1.0 / 6, 0, 7.0 / 360});
  expect_terms(sin(d) / d, 0, 6, {1, 0, -1.0 / 6, 0, 1.0 / 120});
  expect_terms((1.0 - cos(d)) / (d * d), 0, 6, {0.5, 0, -1.0 / 24, 0, 1.0 / 720});
  expect_terms(expm1(sqrt(d)), 3, 3, {1, 0.5, 1.0 / 6, 1.0 / 24});
  expect_terms(log(1.0 - sqrt(d)), 3, 3, {-1, -0.5, -1.0 / 3, -0.25});
  expect_terms(atan2(d, 2.0 * d), 0, 6, {std::atan2(1.0, 2.0)});
  expect_terms(atan2(d, d - 1.0), 0, 6, {std::acos(-1.0), -1});
  expect_terms(atan2(-d, d - 1.0), 0, 6, {-std::acos(-1.0), 1});
  expect_terms(hypot(3.0 * d, 4.0 * d), 6, 6, {5});
}

TEST(Puiseux, FunctionsWithoutAPowerSeriesAreReported) {
  const Puiseux d = right_of(0), zero = d - d;
  EXPECT_EQ(log(d).state(), State::unrepresentable);
  EXPECT_EQ((d * log(d)).state(), State::unrepresentable);
  EXPECT_EQ(log(left_of(0)).state(), State::no_real_value);
  EXPECT_EQ(exp(1.0 / d).state(), State::unrepresentable);
  EXPECT_EQ(sin(1.0 / d).state(), State::unrepresentable);
  EXPECT_EQ(floor(1.0 / d).state(), State::unrepresentable);
  EXPECT_EQ((d / zero).state(), State::undefined);
  EXPECT_EQ(log(zero).state(), State::undefined);
  EXPECT_EQ(exp(1e3 + d).state(), State::undefined);  // overflows
  EXPECT_EQ(asin(2.0 + d).state(), State::no_real_value);
  EXPECT_EQ(max(d, log(left_of(0))).state(), State::no_real_value);
  EXPECT_EQ(min(sqrt(left_of(0)), 1.0).state(), State::no_real_value);
  EXPECT_FALSE(isfinite(1.0 / d));
  EXPECT_TRUE(isnan(sqrt(left_of(0))));
}

TEST(Puiseux, ChoicesSeeTheSide) {
  for (double side : {-1.0, 1.0}) {
    const Puiseux d = Puiseux::seed(0, side, 8);
    expect_terms(abs(d), 6, 6, {1});
    EXPECT_EQ(d < 0.0, side < 0);
    EXPECT_EQ(d > 1e-300, false);
    EXPECT_EQ(max(d, 0.0).is_zero(), side < 0);
    EXPECT_EQ(select(d > 0.0, Puiseux(3), Puiseux(4)).coefficient(0), side > 0 ? 3 : 4);
    EXPECT_EQ(clamp(5.0 + d, 0.0, 5.0).size(), side > 0 ? 1 : 2);
    EXPECT_EQ(floor(2.0 + d).coefficient(0), side > 0 ? 2 : 1);
    EXPECT_EQ(ceil(2.0 + d).coefficient(0), side > 0 ? 3 : 2);
    EXPECT_EQ(floor(2.5 + d).coefficient(0), 2);
    EXPECT_EQ(round(2.5 + d).coefficient(0), side > 0 ? 3 : 2);
    EXPECT_EQ(round(2.4 + d).coefficient(0), 2);
    EXPECT_EQ(sign(d).coefficient(0), side);
  }
}

TEST(Puiseux, AComparisonThatTheKnownTermsDoNotDecideIsToldApart) {
  const Puiseux d = right_of(0), a = exp(d), b = 1.0 * a;
  puiseux_events() = {};
  EXPECT_TRUE(d + 1.0 == 1.0 + d);
  EXPECT_FALSE(puiseux_events().undecided);
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(puiseux_events().undecided);
  EXPECT_FALSE(puiseux_events().unrepresentable);
  EXPECT_FALSE(log(d) < 0.0);
  EXPECT_TRUE(puiseux_events().unrepresentable);
}

// 1/(1 - d) less its first nine terms: with eight terms nothing is known of it.
TEST(Puiseux, CanceledTermsAreAskedForAgain) {
  const auto remainder = [](const Puiseux& d) {
    Puiseux sum = 0.0;
    for (int k = 0; k < 9; ++k) sum += pow(d, k);
    return 1.0 / (1.0 - d) - sum;
  };
  const Puiseux few = remainder(right_of(0, 8)), more = remainder(right_of(0, 16));
  EXPECT_EQ(few.size(), 0);
  EXPECT_FALSE(few.is_exact());
  EXPECT_EQ((1.0 / few).state(), State::more_terms);
  expect_terms(more, 9 * 6, 6, {1, 1, 1});
  // A quotient of it asks for them by itself.
  auto quotient = [&](std::span<const Puiseux> x) { return pow(x[0], 10) / remainder(x[0]); };
  SeriesFunction function{&quotient,
                          [](void* f, std::span<const Puiseux> x) { return (*static_cast<decltype(quotient)*>(f))(x); }};
  const double x[] = {0.0}, v[] = {1.0};
  const Ray ray = Rays(function, x).along(v, 2);
  for (int side : {0, 1}) {
    EXPECT_EQ(ray.derivative(side, 1).value, 1);
    EXPECT_EQ(ray.derivative(side, 2).value, -2);
  }
}

TEST(Puiseux, ARingWithDivision) {
  const Puiseux d = right_of(0, 16), a = sqrt(d) + 2.0 * d, b = 1.0 - cbrt(d) / 2, c = d / (1.0 + sqrt(d));
  const auto expect_equal = [](const Puiseux& x, const Puiseux& y, const Puiseux& summand = 0.0) {
    ASSERT_TRUE(x.is_known() && y.is_known());
    const int end = std::min(std::min(x.end(), y.end()), 30);
    ASSERT_GT(end, 12);
    for (int e = -12; e < end; ++e) {
      const double scale = std::max(1.0, std::abs(x.coefficient(e)) + std::abs(summand.coefficient(e)));
      EXPECT_NEAR(x.coefficient(e), y.coefficient(e), 1e-13 * scale) << e;
    }
  };
  expect_equal(a * b, b * a);
  expect_equal((a * b) * c, a * (b * c));
  expect_equal(a * (b + c), a * b + a * c);
  expect_equal(a / b * b, a);
  expect_equal(b / a, 1.0 / (a / b));
  expect_equal(sqrt(a * a), a);
  expect_equal(pow(cbrt(b), 3), b);
  expect_equal(exp(log(b)), b);
  expect_equal(square(sin(a)) + square(cos(a)), 1.0, square(cos(a)));
  expect_equal(square(cosh(a)) - square(sinh(a)), 1.0, square(cosh(a)));
  expect_equal(tan(atan(a)), a);
  expect_equal(sin(asin(c)), c);
  expect_equal(pow(b, 2.5), square(b) * sqrt(b));
  expect_equal(pow(b, c), exp(c * log(b)));
}

// Unary functions at regular points: every coefficient against nilpotent numbers, from both sides.
struct Unary {
  const char* name;
  double low, high;
  Nilpotent<3> (*nilpotent)(const Nilpotent<3>&);
  Puiseux (*series)(const Puiseux&);
};
#define UNARY(expression, low, high)                                               \
  Unary {                                                                          \
#expression, low, high,                                                        \
        [](const Nilpotent <3>& x) -> Nilpotent < 3>                               \
    { return expression; }, [](const Puiseux& x) -> Puiseux { return expression; } \
  }
const Unary unary_functions[] = {UNARY(sqrt(x), 0.1, 5),
                                 UNARY(cbrt(x), -5, -0.1),
                                 UNARY(exp(x), -4, 4),
                                 UNARY(expm1(x), -2, 2),
                                 UNARY(log(x), 0.1, 9),
                                 UNARY(log1p(x), -0.9, 4),
                                 UNARY(sin(x), -6, 6),
                                 UNARY(cos(x), -6, 6),
                                 UNARY(tan(x), -1.2, 1.2),
                                 UNARY(asin(x), -0.9, 0.9),
                                 UNARY(acos(x), -0.9, 0.9),
                                 UNARY(atan(x), -5, 5),
                                 UNARY(sinh(x), -3, 3),
                                 UNARY(cosh(x), -3, 3),
                                 UNARY(tanh(x), -4, 4),
                                 UNARY(erf(x), -2, 2),
                                 UNARY(sinc(x), -6, 6),
                                 UNARY(sinhc(x), -4, 4),
                                 UNARY(abs(x), -3, -0.1),
                                 UNARY(one_minus_cos_over_square(x), -6, 6),
                                 UNARY(pow(x, 1.7), 0.1, 4),
                                 UNARY(pow(x, -3), 0.5, 2),
                                 UNARY(pow(1.5, x), -2, 2),
                                 UNARY(pow(x, x), 0.3, 2),
                                 UNARY((rational_pow<2, 5>(x)), -4, -0.2),
                                 UNARY(atan2(x, 2.0 - x), -3, 1.5),
                                 UNARY(hypot(x, 1.0 + x), -2, 2),
                                 UNARY(min(x, sin(x)), 0.5, 2),
                                 UNARY(1.0 / (2.0 + x) - x * x, -1, 1),
                                 UNARY(clamp(x, -1.0, 1.0), -0.9, 0.9)};
#undef UNARY

TEST(Puiseux, EqualsNilpotentNumbersAtRegularPoints) {
  const double unit[3] = {1, 1, 1};
  for (const Unary& f : unary_functions) {
    for (int point = 0; point < 7; ++point) {
      const double x = f.low + (f.high - f.low) * (point + 0.37) / 7;
      const Nilpotent<3> expected = f.nilpotent(Nilpotent<3>::seed(x, unit));
      const double derivatives[] = {expected.coefficient(0), expected.coefficient(1), expected.coefficient(3),
                                    expected.coefficient(7)};
      double scale = 0;
      for (double derivative : derivatives) scale = std::max(scale, std::abs(derivative));
      for (int side : {-1, 1}) {
        const Puiseux y = f.series(Puiseux::seed(x, side, 8));
        for (int order = 0; order < 4; ++order) {
          const OneSidedDerivative d = detail::derivative_of(y, order, side);
          ASSERT_TRUE(d.finite()) << f.name << " at " << x;
          EXPECT_NEAR(d.value, derivatives[order], 4e-14 * scale)
              << f.name << " at " << x << ", order " << order << ", side " << side;
        }
      }
    }
  }
}

}  // namespace
}  // namespace holo
