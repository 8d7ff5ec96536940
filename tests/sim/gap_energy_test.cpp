// The functions of one number that contact is made of, against closed forms of their derivatives.
#include "holo/sim/contact/gap_energy.h"

#include <gtest/gtest.h>

#include <cmath>

namespace holo::test {
namespace {

constexpr double D = 2e-3, k = 3e7;

struct BarrierCase {
  BarrierShape shape;
  ScalarDerivatives (*closed_form)(double d);
};

// Derived by hand, with l = ln(d/D) and g = D - d.
const BarrierCase barrier_cases[] = {
    {BarrierShape::logarithmic,
     [](double d) {
       const double l = std::log(d / D), g = D - d;
       return ScalarDerivatives{-k * g * g * l, k * (2 * g * l - g * g / d), k * (-2 * l + 4 * g / d + g * g / (d * d)),
                                k * (-2 / d - 4 * D / (d * d) - 2 * g / (d * d) - 2 * g * g / (d * d * d))};
     }},
    {BarrierShape::smooth,
     [](double d) {
       const double l = std::log(d / D), g = D - d;
       return ScalarDerivatives{-k / D * g * g * g * l, k / D * (3 * g * g * l - g * g * g / d),
                                k / D * (-6 * g * l + 6 * g * g / d + g * g * g / (d * d)),
                                k / D * (6 * l - 18 * g / d - 9 * g * g / (d * d) - 2 * g * g * g / (d * d * d))};
     }},
    {BarrierShape::squared, [](double d) {
       const double l = std::log(d / D), q = d * d - D * D, c = -k / (4 * D * D);
       return ScalarDerivatives{c * q * q * l, c * (4 * d * q * l + q * q / d),
                                c * ((12 * d * d - 4 * D * D) * l + 8 * q - q * q / (d * d)),
                                c * (24 * d * l + (12 * d * d - 4 * D * D) / d + 16 * d - 4 * q / d + 2 * q * q / (d * d * d))};
     }}};

class BarrierOf : public testing::TestWithParam<BarrierCase> {
 protected:
  Barrier barrier{GetParam().shape, D, k};
};

// Rounding near D, where differences of d and D cancel.
TEST_P(BarrierOf, DerivativesAreThoseOfItsClosedForm) {
  for (const double d : {1e-9, 1e-5, 0.3e-3, 1e-3, 1.7e-3, 1.999e-3}) {
    const ScalarDerivatives found = barrier_energy(barrier, d), expected = GetParam().closed_form(d);
    EXPECT_NEAR(found.value, expected.value, 1e-12 * expected.value) << d;
    EXPECT_NEAR(found.first, expected.first, 1e-12 * std::abs(expected.first)) << d;
    EXPECT_NEAR(found.second, expected.second, 1e-12 * expected.second) << d;
    EXPECT_NEAR(found.third, expected.third, 1e-11 * std::abs(expected.third)) << d;
  }
}

TEST_P(BarrierOf, IsConvexDecreasingAndZeroFromTheActivationDistanceOn) {
  for (const double d : {1e-12, 1e-6, 0.5e-3, 1.5e-3, 1.9999e-3}) {
    const ScalarDerivatives B = barrier_energy(barrier, d);
    EXPECT_GT(B.value, 0) << d;
    EXPECT_LT(B.first, 0) << d;
    EXPECT_GT(B.second, 0) << d;
  }
  for (const double d : {D, 2 * D, 1e9}) {
    const ScalarDerivatives B = barrier_energy(barrier, d);
    EXPECT_EQ(B.value, 0);
    EXPECT_EQ(B.first, 0);
    EXPECT_EQ(B.second, 0);
    EXPECT_EQ(B.third, 0);
  }
}

TEST_P(BarrierOf, HasNoBoundAtGapZeroAndIsInfiniteBelow) {
  EXPECT_GT(barrier_energy(barrier, 1e-300).value, 100 * barrier_energy(barrier, D / 10).value);
  for (const double d : {0.0, -1e-12, -1.0, std::nan("")}) EXPECT_EQ(barrier_energy(barrier, d).value, INFINITY) << d;
}

INSTANTIATE_TEST_SUITE_P(Shapes, BarrierOf, testing::ValuesIn(barrier_cases));

// All have the pressure of the logarithmic one near D: of order (d - D)^2 or (d - D)^3.
TEST(Barrier, SquaredOneIsTheLogarithmicOneNearTheActivationDistance) {
  const double d = D * (1 - 1e-4);
  EXPECT_NEAR(
      barrier_energy({BarrierShape::squared, D, k}, d).first / barrier_energy({BarrierShape::logarithmic, D, k}, d).first, 1,
      3e-4);
  EXPECT_NEAR(barrier_energy({BarrierShape::logarithmic, D, k}, D / 2).first, -1.193 * k * D, 1e-3 * k * D);
}

constexpr double e = 3e-4;

class SmoothedLengthOf : public testing::TestWithParam<FrictionLaw> {};

// f'(y) of the length y in units of e, of the two laws.
double slope_of(FrictionLaw law, double y) {
  if (y >= 1) return 1;
  return law == FrictionLaw::quintic ? (15 * y - 10 * y * y * y + 3 * std::pow(y, 5)) / 8 : 2 * y - y * y;
}

TEST_P(SmoothedLengthOf, ForceIsThatOfItsLaw) {
  for (const double y : {1e-6, 0.1, 0.5, 0.9, 0.999999, 1.0, 1.5, 30.0}) {
    const double length = y * e;
    // d/dy f(y^2) = 2 y f'(y^2)
    EXPECT_NEAR(2 * length * smoothed_length(GetParam(), e, length * length).first, slope_of(GetParam(), y), 1e-14) << y;
  }
}

TEST_P(SmoothedLengthOf, IsTheLengthBeyondTheStickingAndContinuousThere) {
  for (const double y : {1.0, 1.5, 30.0}) EXPECT_DOUBLE_EQ(smoothed_length(GetParam(), e, y * y * e * e).value, y * e);
  EXPECT_NEAR(smoothed_length(GetParam(), e, e * e * (1 - 1e-12)).value, e, 1e-11 * e);
}

TEST_P(SmoothedLengthOf, HigherDerivativesAreDifferencesOfTheFirst) {
  for (const double y : {0.2, 0.6, 0.95, 1.2, 4.0}) {
    const double s = y * y * e * e, h = 1e-3 * s;
    const auto at = [&](double n) { return smoothed_length(GetParam(), e, s + n * h); };
    const auto slope = [&](auto entry) {
      return (45 * (entry(at(1)) - entry(at(-1))) - 9 * (entry(at(2)) - entry(at(-2))) + entry(at(3)) - entry(at(-3))) /
             (60 * h);
    };
    const ScalarDerivatives f = at(0);
    EXPECT_NEAR(slope([](const ScalarDerivatives& d) { return d.value; }), f.first, 1e-10 * f.first) << y;
    EXPECT_NEAR(slope([](const ScalarDerivatives& d) { return d.first; }), f.second, 1e-9 * std::abs(f.second)) << y;
    EXPECT_NEAR(slope([](const ScalarDerivatives& d) { return d.second; }), f.third,
                1e-9 * std::abs(f.third) + 1e-3 * f.first / (s * s))
        << y;
  }
}

TEST_P(SmoothedLengthOf, IsFiniteWithoutDisplacement) {
  const ScalarDerivatives f = smoothed_length(GetParam(), e, 0);
  EXPECT_TRUE(std::isfinite(f.value) && std::isfinite(f.first) && std::isfinite(f.second) && std::isfinite(f.third));
  EXPECT_NEAR(f.first, (GetParam() == FrictionLaw::quintic ? 7.5 / 8 : 1) / e, 1e-12 / e);
}

// The slope of the directed length: (m + d q) f' of y in units of e, q the odd quintic that goes on as 1.
double directed_slope(FrictionLaw law, double forward, double backward, double y) {
  const double side = y < 0 ? -1 : 1;
  return ((forward + backward) / 2 + (forward - backward) / 2 * side * slope_of(FrictionLaw::quintic, std::abs(y))) * side *
         slope_of(law, std::abs(y));
}

TEST_P(SmoothedLengthOf, DirectedForceIsThatOfItsFactorsAndVanishesAtRest) {
  const auto slope = [](double y) { return smoothed_directed_length(GetParam(), e, 0.6, 1.7, y * e).first; };
  for (const double y : {1e-6, 0.1, 0.5, 0.9, 0.999999, 1.0, 1.5, 30.0})
    for (const double side : {-1, 1}) {
      EXPECT_NEAR(slope(side * y), directed_slope(GetParam(), 0.6, 1.7, side * y), 1e-14) << side * y;
      EXPECT_GT(side * slope(side * y), 0) << "friction opposes the displacement";
    }
  EXPECT_EQ(slope(0), 0);
  EXPECT_DOUBLE_EQ(slope(2), 0.6);
  EXPECT_DOUBLE_EQ(slope(-2), -1.7);
}

TEST_P(SmoothedLengthOf, DirectedOneOfEqualFactorsIsTheLength) {
  for (const double y : {-3.0, -0.7, 0.0, 0.2, 0.9, 1.0, 4.0})
    EXPECT_NEAR(smoothed_directed_length(GetParam(), e, 1.3, 1.3, y * e).value,
                1.3 * smoothed_length(GetParam(), e, y * y * e * e).value, 1e-15 * e)
        << y;
}

TEST_P(SmoothedLengthOf, DirectedDerivativesAreDifferencesOfThoseBelow) {
  for (const double y : {-4.0, -1.2, -0.95, -0.6, -0.2, 0.2, 0.6, 0.95, 1.2, 4.0}) {
    const double h = 1e-3 * e;
    const auto at = [&](double n) { return smoothed_directed_length(GetParam(), e, 0.6, 1.7, y * e + n * h); };
    const auto slope = [&](auto entry) {
      return (45 * (entry(at(1)) - entry(at(-1))) - 9 * (entry(at(2)) - entry(at(-2))) + entry(at(3)) - entry(at(-3))) /
             (60 * h);
    };
    const ScalarDerivatives f = at(0);
    EXPECT_NEAR(slope([](const ScalarDerivatives& d) { return d.value; }), f.first, 1e-11) << y;
    EXPECT_NEAR(slope([](const ScalarDerivatives& d) { return d.first; }), f.second, 1e-11 / e) << y;
    EXPECT_NEAR(slope([](const ScalarDerivatives& d) { return d.second; }), f.third, 1e-11 / (e * e)) << y;
  }
  for (const double side : {-1, 1}) {
    const auto value = [&](double y) { return smoothed_directed_length(GetParam(), e, 0.6, 1.7, side * y * e).value; };
    EXPECT_NEAR(value(1), value(1 - 1e-12), 1e-11 * e) << "continuous where sliding is complete";
  }
}

TEST_P(SmoothedLengthOf, DirectedOneIsConvexUpToItsLargestRatioAndNotFarBeyond) {
  const auto least_curvature = [](double ratio) {
    double least = 1;
    for (int n = -1000; n <= 1000; ++n)
      least = std::min(least, e * smoothed_directed_length(GetParam(), e, ratio, 1, n * e / 1000).second);
    return least;
  };
  const double largest = largest_directed_ratio(GetParam());
  EXPECT_GT(least_curvature(largest), -1e-14);
  EXPECT_LT(least_curvature(1.1 * largest), -1e-6);
}

INSTANTIATE_TEST_SUITE_P(Laws, SmoothedLengthOf, testing::Values(FrictionLaw::quintic, FrictionLaw::quadratic));

}  // namespace
}  // namespace holo::test
