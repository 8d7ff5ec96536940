#include "holo/diff/lanes/cube_root.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "holo/diff/lanes/lanes.h"

namespace holo {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class L>
class CubeRoots : public testing::Test {};
using Widths = testing::Types<Lanes<double, 2>, Lanes<double, 4>, Lanes<double, 8>, Lanes<double, 16>>;
TYPED_TEST_SUITE(CubeRoots, Widths);

// Positive numbers of all sizes, subnormal ones among them, each in some lane.
template <class L, class Visit>
void for_random_numbers(Visit visit) {
  std::mt19937_64 random(4);
  for (int n = 0; n < 20000; ++n) {
    L x;
    for (int i = 0; i < L::width; ++i) x.set(i, std::bit_cast<double>(random() % 0x7FEFFFFFFFFFFFFF + 1));
    if (n % 8 == 0) x.set(n / 8 % L::width, std::bit_cast<double>(random() % 0xFFFFFFFFFFFFF + 1));
    visit(x);
  }
}
double relative_error(double found, long double expected) { return double(std::abs((found - expected) / expected)); }

// The documented errors with and without fused multiply-adds, of root and inverse root; a square has twice that and a rounding.
TYPED_TEST(CubeRoots, AreRightToTheirLastBit) {
  using L = TypeParam;
  double root = 0, inverse = 0, square = 0;
  for_random_numbers<L>([&](const L& x) {
    const L found[3] = {cbrt(x), pow(x, -1.0 / 3), pow(x, -2.0 / 3)};
    for (int i = 0; i < L::width; ++i) {
      const long double expected = cbrtl(x[i]);
      root = std::max(root, relative_error(found[0][i], expected));
      inverse = std::max(inverse, relative_error(found[1][i], 1 / expected));
      square = std::max(square, relative_error(found[2][i], 1 / (expected * expected)));
    }
  });
  EXPECT_LT(root, 1.8 * 0x1p-53);
  EXPECT_LT(inverse, 1.9 * 0x1p-53);
  EXPECT_LT(square, 4.8 * 0x1p-53);
  EXPECT_GT(root, 0.5 * 0x1p-53);
}

TYPED_TEST(CubeRoots, OfSpecialValuesAreThoseOfTheScalarFunctions) {
  using L = TypeParam;
  for (const double x : {0.0, -0.0, 1.0, -1.0, -8.0, 27.0, infinity, -infinity, std::nan(""), 5e-324, -5e-324, 1.7e308}) {
    L lanes(2.0);
    lanes.set(L::width - 1, x);
    const auto expect_same = [&](double expected, double found, double exponent) {
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(found)) << x << "^" << exponent << " gave " << found;
      } else {
        EXPECT_EQ(std::signbit(expected), std::signbit(found)) << x << "^" << exponent;
        EXPECT_DOUBLE_EQ(expected, found) << x << "^" << exponent;
      }
    };
    expect_same(std::cbrt(x), cbrt(lanes)[L::width - 1], 0);
    // std::pow takes the power of the double next to k/3: far from 1 not that of k/3.
    for (const int k : {-5, -4, -2, -1, 1, 2, 4, 5})
      expect_same(x > 0 && x < infinity ? double(powl(cbrtl(x), k)) : std::pow(x, k / 3.0), pow(lanes, k / 3.0)[L::width - 1],
                  k / 3.0);
  }
}

TEST(CubeRootsBadInput, OtherExponentsAreNoThirds) {
  EXPECT_EQ(-2, vector_math::thirds_of(-2.0 / 3));
  EXPECT_EQ(4, vector_math::thirds_of(4.0 / 3));
  for (const double exponent : {0.0, 1.0, -2.0, 0.5, 0.333, -0.6666667, 1e300, -infinity, infinity, std::nan("")})
    EXPECT_EQ(0, vector_math::thirds_of(exponent)) << exponent;
}

}  // namespace
}  // namespace holo
