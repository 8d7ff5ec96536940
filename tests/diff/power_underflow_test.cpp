// Powers at the ends of the range of numbers: derivatives that are representable where the value, or 1/x, is not.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "holo/diff/drivers.h"
#include "holo/diff/graph/interpreter.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/taylor.h"

namespace holo {
namespace {

constexpr double rounding = 1e-14;

TEST(PowerUnderflow, LeavesTheDerivativesOfAConstantPower) {
  const auto f = [](const auto& x) { return pow(x, 1.5); };
  const Taylor<2> y = f(Taylor<2>::variable(1e-250));
  EXPECT_EQ(y.value(), 0);
  EXPECT_NEAR(y.derivative(1), 1.5e-125, rounding * 1.5e-125);
  EXPECT_NEAR(y.derivative(2), 0.75e125, rounding * 0.75e125);
  const auto lanes = f(Taylor<2, LaneBlock>::variable(LaneBlock(1e-250)));
  EXPECT_NEAR(lanes.derivative(1)[1], 1.5e-125, rounding * 1.5e-125);
  const Taylor<4> higher = pow(Taylor<4>::seed(1e-140, 1), 2.5);
  EXPECT_NEAR(higher.derivative(2), 3.75e-70, rounding * 3.75e-70);
}

TEST(PowerUnderflow, LeavesTheDerivativesOfAVariablePower) {
  const double x = 1e-250, y = 1.5, L = std::log(x);
  const Nilpotent<2> z = pow(Nilpotent<2>::seed(x, {1, 0}), Nilpotent<2>::seed(y, {0, 1}));
  EXPECT_NEAR(z.coefficient(1), 1.5e-125, rounding * 1.5e-125);
  EXPECT_NEAR(z.coefficient(3), 1e-125 * (1 + y * L), rounding * 1e-125 * std::abs(1 + y * L));
}

TEST(PowerUnderflow, LeavesTheDerivativesOfAnOddRootOfANegativeNumber) {
  const auto z = rational_pow<7, 5>(Nilpotent<2>::seed(-1e-250, {1, 1}));
  const double rounding_of_exponent = 2.2e-16 * std::abs(std::log(1e-250));
  EXPECT_NEAR(z.coefficient(1), 1.4e-100, rounding_of_exponent * 1.4e-100);
  EXPECT_NEAR(z.coefficient(3), -0.56e150, rounding_of_exponent * 0.56e150);
}

TEST(PowerOfASubnormalNumber, HasItsSlope) {
  EXPECT_NEAR(pow(Nilpotent<1>::seed(1e-310, {1}), 0.5).derivative(), 0.5 / std::sqrt(1e-310), 1e-14 * 5e154);
}

TEST(PowerOfZero, IsZeroWithAllItsDerivativesForAPositiveExponent) {
  const auto f = [](const auto& x) { return pow(0.0, x[0]); };
  const auto h = hessian(f, std::array{2.0});
  EXPECT_TRUE(h.status.ok());
  EXPECT_EQ(h.value, 0);
  EXPECT_EQ(h.gradient[0], 0);
  EXPECT_EQ(h.hessian[0], 0);
}

// As of scalars: 0^b is 0 for all b > 0, and has no slope elsewhere.
TEST(PowerOfZeroOnTheGraph, HasNoSlopeButForAPositiveExponent) {
  using namespace graph;
  Graph g(1, 1000);
  std::vector<int> d(6);
  d[0] = pow(0.0, Recorded(&g, 0)).node_in(g);
  const int one = g.constant(1.0);
  Scratch<int> seeds(1, one);
  tangent(g, seeds, &d[0], 1, &d[1]);
  tangent(g, seeds, &d[1], 1, &d[2]);
  reverse(g, d[0], {0, 1}, &d[3]);
  reverse(g, d[3], {0, 1}, &d[4]);
  reverse(g, d[4], {0, 1}, &d[5]);
  const Interpreter interpreter(g, d);
  std::vector<double> values(std::size_t(interpreter.counts().nodes) + 1), found(d.size());
  for (const double b : {2.0, 0.0, -1.0}) {
    interpreter.run(
        values.data(), [&](int) { return b; }, [&](int i, double value) { found[std::size_t(i)] = value; });
    for (std::size_t i = b == 0 ? 1 : 0; i < found.size(); ++i)
      if (b > 0)
        EXPECT_EQ(found[i], 0) << i;
      else
        EXPECT_FALSE(std::isfinite(found[i])) << b << ' ' << i;
  }
}

TEST(HypotOfNumbers, HasItsSecondDerivativesForLargeAndSmallNumbers) {
  for (const double size : {1e-200, 1e200}) {
    const auto h = hessian([](const auto& x) { return hypot(x[0], x[1]); }, std::array{3 * size, 4 * size});
    EXPECT_NEAR(h.hessian[0], 0.128 / size, rounding * 0.128 / size);
    EXPECT_NEAR(h.hessian[1], -0.096 / size, rounding * 0.096 / size);
  }
  const Nilpotent<1> zero = Nilpotent<1>::seed(0.0, {1.0});
  EXPECT_EQ(hypot(zero, zero).value(), 0);
  EXPECT_FALSE(std::isfinite(hypot(zero, zero).derivative()));
}

// The product (1 - x)(1 + x) keeps the digits that 1 - x^2 loses; the conditioning in x says nothing of them.
TEST(LongSeriesOfTheArcsine, KeepTheirDigitsNearOne) {
  for (const double gap : {0x1p-10, 0x1p-20, 0x1p-30, 0x1p-40}) {
    const Taylor<5> y = asin(Taylor<5>::seed(1 - gap, 1)), z = acos(Taylor<5>::seed(gap - 1, 1));
    const double w = gap * (2 - gap);  // 1 - x^2
    const double first = 1 / std::sqrt(w), third = (1 + 2 * (1 - gap) * (1 - gap)) / (w * w * std::sqrt(w));
    EXPECT_NEAR(y.derivative(1), first, rounding * first);
    EXPECT_NEAR(y.derivative(3), third, rounding * third);
    EXPECT_NEAR(z.derivative(1), -first, rounding * first);
    EXPECT_NEAR(z.derivative(3), -third, rounding * third);
  }
}

}  // namespace
}  // namespace holo
