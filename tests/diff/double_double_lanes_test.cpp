#include "holo/diff/lanes/double_double_lanes.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>

namespace holo {
namespace {

using S = DoubleDoubleLanes<LaneBlock>;
using Exact = boost::multiprecision::cpp_bin_float_100;

constexpr int lane = LaneBlock::width - 1;
Exact exact(const S& x) { return Exact(x.high[lane]) + Exact(x.low[lane]); }
S number(double value) { return S(LaneBlock(value)); }

// Numbers that no double holds: 1 + small and the like.
S long_number(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(0.5, 2);
  return number(uniform(random)) + number(0x1p-60 * uniform(random));
}
template <class Plain, class Lane>
void expect_digits(double tolerance, const Plain& plain, const Lane& lanes) {
  std::mt19937_64 random(9);
  for (int n = 0; n < 2000; ++n) {
    const S a = long_number(random), b = long_number(random);
    const Exact expected = plain(exact(a), exact(b)), error = exact(lanes(a, b)) - expected;
    ASSERT_LE(double(abs(error)), tolerance * double(1 + abs(expected)));
  }
}

TEST(DoubleDoubleLanes, ArithmeticHasTwiceTheDigits) {
  const auto bound = 32 * 0x1p-106;
  expect_digits(
      bound, [](auto a, auto b) { return Exact(a + b); }, [](auto a, auto b) { return a + b; });
  expect_digits(
      bound, [](auto a, auto b) { return Exact(a - b); }, [](auto a, auto b) { return a - b; });
  expect_digits(
      bound, [](auto a, auto b) { return Exact(a * b); }, [](auto a, auto b) { return a * b; });
  expect_digits(
      bound, [](auto a, auto b) { return Exact(a / b); }, [](auto a, auto b) { return a / b; });
  expect_digits(
      bound, [](auto a, auto) { return Exact(sqrt(a)); }, [](auto a, auto) { return sqrt(a); });
  expect_digits(
      bound, [](auto a, auto) { return Exact(pow(a, Exact(1) / 3)); }, [](auto a, auto) { return cbrt(a); });
  expect_digits(
      bound, [](auto a, auto b) { return Exact(sqrt(a * a + b * b)); }, [](auto a, auto b) { return hypot(a, b); });
}

// A product of this size minus its rounding is what a fused multiply-add must not have lost.
TEST(DoubleDoubleLanes, DifferencesOfProductsKeepTheirDigits) {
  const double x = 1 + 0x1p-30;
  const S difference = number(x) * number(x) - number(1 + 0x1p-29);
  EXPECT_EQ(0x1p-60, difference.value()[lane]);
}

// Near 1, of log, and near 0, of exp - 1: a few units in the last place of the difference, which plain exp(x) has lost.
TEST(DoubleDoubleLanes, LogarithmsAndExponentialsKeepTheDistanceFromOne) {
  for (double t = 1e-12; t < 0.3; t *= 7) {
    const S near_one = 1.0 + number(t);
    const double bound = 8 * 0x1p-53;
    EXPECT_NEAR(std::log1p(t), log(near_one).value()[lane], bound * t);
    EXPECT_NEAR(std::expm1(t), (exp(number(t)) - 1.0).value()[lane], bound * t);
    EXPECT_NEAR(std::expm1(-2.0 / 3 * std::log1p(t)), (pow(near_one, -2.0 / 3) - 1.0).value()[lane], bound * t);
    EXPECT_NEAR(std::expm1(1.7 * std::log1p(t)), (pow(near_one, 1.7) - 1.0).value()[lane], bound * t);
    EXPECT_NEAR(std::expm1(t * std::log1p(t)), (pow(near_one, number(t)) - 1.0).value()[lane], bound * t);
  }
  for (double x : {-700.0, -20.0, -0.7, 0.7, 3.0, 600.0})
    EXPECT_NEAR(std::exp(x), exp(number(x)).value()[lane], 8 * 0x1p-53 * std::exp(x));
}

#define HOLO_SLOPE(name, x)                                                                    \
  {                                                                                            \
    const double step = 0x1p-60;                                                               \
    const S moved = name(number(x) + number(step)), here = name(number(x));                    \
    EXPECT_NEAR(std::name(x), here.value()[lane], 8 * 0x1p-53 * (1 + std::abs(std::name(x)))); \
    const double slope = (std::name(x + 1e-6) - std::name(x - 1e-6)) / 2e-6;                   \
    EXPECT_NEAR(slope, (moved - here).value()[lane] / step, 1e-8 * (1 + std::abs(slope)));     \
  }
TEST(DoubleDoubleLanes, OtherFunctionsFollowTheLowerHalf) {
  HOLO_SLOPE(sin, 0.7);
  HOLO_SLOPE(cos, 0.7);
  HOLO_SLOPE(tan, 0.7);
  HOLO_SLOPE(asin, 0.4);
  HOLO_SLOPE(acos, 0.4);
  HOLO_SLOPE(atan, 0.4);
  HOLO_SLOPE(sinh, 0.4);
  HOLO_SLOPE(cosh, 0.4);
  HOLO_SLOPE(tanh, 0.4);
  const S angle = atan2(number(0.3) + number(0x1p-60), number(0.4));
  EXPECT_NEAR(1.6, (angle - atan2(number(0.3), number(0.4))).value()[lane] * 0x1p60, 1e-12);
}

TEST(DoubleDoubleLanes, ComparisonsSeeTheLowerHalf) {
  const S one(1.0), above = one + number(0x1p-70);
  EXPECT_TRUE(all(one < above) && all(above > one) && all(one != above) && all(one <= one) && all(above >= above));
  EXPECT_FALSE(any(above < one) || any(above == one));
  EXPECT_EQ(0x1p-70, (max(one, above) - min(one, above)).value()[lane]);
  EXPECT_EQ(2.0, abs(number(-2)).value()[lane]);
}

TEST(DoubleDoubleLanesBadInput, WhatIsNotFiniteIsNotANumber) {
  for (const S& x : {number(1e200) * number(1e200), number(1) / number(0), log(number(0)), log(number(-1)), exp(number(800)),
                     pow(number(-2), 1.0 / 3), pow(number(-2), 0.3), sqrt(number(-1))})
    EXPECT_FALSE(std::isfinite(x.value()[lane]));
}

TEST(DoubleDoubleLanesBadInput, AMinimumOrMaximumKeepsWhatIsNotANumber) {
  for (const S& nothing : {log(number(-1)), number(std::nan(""))})
    for (const S& x : {max(number(0), nothing), max(nothing, number(0)), min(number(0), nothing), min(nothing, number(0))})
      EXPECT_TRUE(std::isnan(x.value()[lane]));
}

}  // namespace
}  // namespace holo
