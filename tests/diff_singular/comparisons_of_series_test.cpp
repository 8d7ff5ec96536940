// Choices inside a function, where its arguments are series: decided by as many terms as it takes, and by none that are not
// known.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "holo/diff/drivers.h"

namespace holo {
namespace {

using Kind = DerivativeStatus::Kind;
const std::array<double, 1> origin{0.0}, unit{1.0};

// 0 with second derivative 2, by way of 0/0.
template <class S>
S detour(const S& x) {
  return sqrt((x * x) * (x * x));
}

// 1/(1 - x) exceeds its first terms by x^10 / (1 - x), or x^9 / (1 - x), which no eight terms show.
template <int terms, class S>
S excess_side(const S& x) {
  S sum = 1.0, power = 1.0;
  for (int k = 1; k < terms; ++k) power = power * x, sum = sum + power;
  return select(1.0 / (1.0 - x) > sum, x, -x);
}

TEST(ComparisonsOfSeries, AreDecidedByMoreTermsWhereTheFirstAgree) {
  const auto odd = [](const auto& x) { return excess_side<9>(x[0]) + detour(x[0]); };  // |x|
  const auto kink = directional(odd, origin, unit);
  ASSERT_EQ(kink.status.kind, Kind::nondifferentiable) << to_string(kink.status, 1);
  EXPECT_NEAR(kink.singular->left.back().value, -1, 1e-14);
  EXPECT_NEAR(kink.singular->right.back().value, 1, 1e-14);
  const auto even = [](const auto& x) { return excess_side<10>(x[0]) + detour(x[0]); };  // x
  const auto smooth = directional(even, origin, unit, unit);
  ASSERT_EQ(smooth.status.kind, Kind::singular_resolved) << to_string(smooth.status, 1);
  EXPECT_NEAR(smooth.coefficients[1], 1, 1e-14);
  EXPECT_NEAR(smooth.derivative, 2, 1e-14);
}

// x log(x^2) is no series: whether it exceeds a number is not known, and so is what was chosen by it.
TEST(ComparisonsOfSeries, WithNumbersThatAreNoSeriesAreNotBelieved) {
  const auto f = [](const auto& x) { return select(x[0] * log(x[0] * x[0]) > -1.0, x[0], 5.0 * x[0]) + detour(x[0]); };
  const auto d = directional(f, origin, unit);
  EXPECT_FALSE(d.status.usable()) << to_string(d.status, 1);
  EXPECT_EQ(d.status.kind, Kind::unrepresentable);
}

// Limits that differ from direction to direction: x0/|x| has none at the origin.
TEST(ComparisonsOfSeries, LimitsThatDependOnTheDirectionAreNoValue) {
  const auto f = [](const auto& x) { return x[0] * x[0] / (x[0] * x[0] + x[1] * x[1]); };
  const auto g = gradient(f, std::array{0.0, 0.0});
  EXPECT_EQ(g.status.kind, Kind::nondifferentiable) << to_string(g.status, 2);
  EXPECT_EQ(g.status.index, DerivativeStatus::value_index);
}

// A point taken out and put elsewhere: both limits are 0, the value is 5.
TEST(ComparisonsOfSeries, AValueBesideItsLimitsIsAJump) {
  const auto f = [](const auto& x) {
    using S = std::remove_cvref_t<decltype(x[0])>;
    return select(x[0] == 0.0, S(5.0), x[0]) + detour(x[0]);
  };
  const auto d = directional(f, origin, unit);
  EXPECT_EQ(d.value, 5);
  EXPECT_EQ(d.status.kind, Kind::nondifferentiable) << to_string(d.status, 1);
  EXPECT_EQ(d.status.index, DerivativeStatus::value_index);
}

// sqrt(-x)^4 = x^2 lives on the left alone.
TEST(ComparisonsOfSeries, AFunctionOfTheLeftSideAloneIsOneSided) {
  const auto d = directional([](const auto& x) { return pow(sqrt(-x[0]), 4) + x[0]; }, origin, unit, unit);
  EXPECT_EQ(d.status.kind, Kind::one_sided) << to_string(d.status, 1);
  EXPECT_NEAR(d.coefficients[1], 1, 1e-14);
  EXPECT_NEAR(d.derivative, 2, 1e-14);
  EXPECT_EQ(d.singular->right.back().kind, OneSidedDerivative::Kind::no_real_value);
}

// Infinite slopes have a sign where both sides have the same.
TEST(ComparisonsOfSeries, OpposedInfinitiesHaveNoSign) {
  const auto cusp = directional([](const auto& x) { return sqrt(sqrt(x[0] * x[0])); }, origin, unit);
  EXPECT_EQ(cusp.status.kind, Kind::not_finite);
  EXPECT_TRUE(std::isnan(cusp.derivative)) << cusp.derivative;
  EXPECT_EQ(cusp.singular->left.back().value, -INFINITY);
  EXPECT_EQ(cusp.singular->right.back().value, INFINITY);
  const auto steep = directional([](const auto& x) { return -cbrt(x[0]); }, origin, unit);
  EXPECT_EQ(steep.status.kind, Kind::not_finite);
  EXPECT_EQ(steep.derivative, -INFINITY);
}

}  // namespace
}  // namespace holo
