// The layouts of nilpotent numbers against each other, bit by bit. An executable of its own, as it is compiled without
// contraction of products and sums: all layouts then round alike, whatever the compiler fuses elsewhere.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "../diff/random_nilpotent.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo {
namespace {

using Second = Nilpotent<2>;
constexpr int W = LaneBlock::width;

using Random = test::RandomNilpotent;

// Equal bits; two NaN are equal whatever their payload.
::testing::AssertionResult same_bits(double a, double b) {
  if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b)))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << a << " differs from " << b << " by " << a - b;
}

// Everything that takes no transcendental function, and what it takes on top where the real part is a plain number.
template <class N>
N rational_expression(const N& x, const N& y) {
  const N a = x * y + 2.5 * x - y / 3 + 1 / (2 + y * y);
  const N b = pow(a, 3) / (1 + x * x) + sqrt(2 + abs(a)) - min(x, y) * max(a, 0.5) + clamp(x, -0.5, 0.5);
  return select(x < y, b * x, b - y) + hypot(x, y) + rational_pow<4, 2>(b) - floor(x) * y;
}
template <class N>
N full_expression(const N& x, const N& y) {
  const N a = 1.5 + sin(x) * cos(y) * exp(-x * x);
  return rational_expression(x, y) + log(a) * pow(a, 1.3) + atan2(y, x) + tanh(x) * sinc(y) + pow(a, y) + cbrt(x);
}

TEST(NilpotentLanes, EqualTheScalarTypeBitByBit) {
  using L = Nilpotent<2, LaneBlock>;
  Random random;
  for (int i = 0; i < 200; ++i) {
    std::array<Second, W> x, y;
    LaneBlock values[2][4];
    for (int k = 0; k < W; ++k) {
      x[k] = random.nilpotent<Second>() - 2, y[k] = random.nilpotent<Second>() - 2;
      for (int s = 0; s < 4; ++s) values[0][s].set(k, x[k].coefficient(s)), values[1][s].set(k, y[k].coefficient(s));
    }
    L lx = L::seed(values[0][0], {values[0][1], values[0][2]}), ly = L::seed(values[1][0], {values[1][1], values[1][2]});
    lx.set_coefficient<3>(values[0][3]), ly.set_coefficient<3>(values[1][3]);
    const L found = rational_expression(lx, ly);
    for (int k = 0; k < W; ++k) {
      const Second expected = rational_expression(x[k], y[k]);
      for (int s = 0; s < 4; ++s)
        EXPECT_TRUE(same_bits(found.coefficient(s)[k], expected.coefficient(s))) << "coefficient " << s;
    }
  }
}

// W directions in one number are W numbers of one direction, lane by lane.
TEST(NilpotentLanes, FirstDerivativesAlongSeveralDirectionsEqualThoseOfOneBitByBit) {
  using Many = Nilpotent<1, double, LaneBlock>;
  using One = Nilpotent<1>;
  Random random;
  for (int i = 0; i < 200; ++i) {
    const double x = random.number(), y = random.number();
    LaneBlock dx, dy;
    for (int k = 0; k < W; ++k) dx.set(k, random.number()), dy.set(k, random.number());
    const Many found = full_expression(Many::seed_last(x, dx), Many::seed_last(y, dy));
    for (int k = 0; k < W; ++k) {
      const One expected = full_expression(One::seed(x, {dx[k]}), One::seed(y, {dy[k]}));
      EXPECT_TRUE(same_bits(found.value(), expected.value()));
      EXPECT_TRUE(same_bits(found.derivative()[k], expected.derivative())) << "lane " << k;
    }
  }
}

TEST(NilpotentLanes, SeveralDirectionsEqualOneDirectionBitByBit) {
  using Many = Nilpotent<2, double, LaneBlock>;
  Random random;
  for (int i = 0; i < 200; ++i) {
    const double x = random.number(), y = random.number(), u = random.number(), v = random.number();
    LaneBlock dx, dy;
    for (int k = 0; k < W; ++k) dx.set(k, random.number()), dy.set(k, random.number());
    Many mx = Many::seed_last(x, dx), my = Many::seed_last(y, dy);
    mx.set_coefficient<1>(u), my.set_coefficient<1>(v);
    const Many found = full_expression(mx, my);
    for (int k = 0; k < W; ++k) {
      const Second expected = full_expression(Second::seed(x, {u, dx[k]}), Second::seed(y, {v, dy[k]}));
      EXPECT_TRUE(same_bits(found.coefficient<0>(), expected.coefficient(0)));
      EXPECT_TRUE(same_bits(found.coefficient<1>(), expected.coefficient(1)));
      EXPECT_TRUE(same_bits(found.coefficient<2>()[k], expected.coefficient(2)));
      EXPECT_TRUE(same_bits(found.coefficient<3>()[k], expected.coefficient(3)));
    }
  }
}

}  // namespace
}  // namespace holo
