#include "holo/diff/lanes/lanes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace holo {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class L>
class LanesTest : public testing::Test {
 public:
  // The lanes hold consecutive entries of `points`; each lane is compared with the scalar function. NaN equals NaN.
  template <class Vectorized, class Plain>
  static void expect_same(const std::vector<double>& points, Vectorized vectorized, Plain plain) {
    int distinct = 0;
    for (std::size_t start = 0; start < points.size(); ++start) {
      L x;
      for (int i = 0; i < L::width; ++i) x.set(i, points[(start + i) % points.size()]);
      const L y = vectorized(x);
      for (int i = 0; i < L::width; ++i) {
        const double expected = plain(x[i]);
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(y[i])) << "at " << x[i] << " found " << y[i];
        } else if (std::isinf(expected)) {
          EXPECT_EQ(expected, y[i]) << "at " << x[i];
        } else {
          EXPECT_NEAR(expected, y[i], 1e-15 * std::abs(expected) + 1e-300) << "at " << x[i];
        }
        distinct += expected != plain(points[0]);
      }
    }
    EXPECT_GT(distinct, 0);  // else nothing was told apart
  }
};

using Widths = testing::Types<LaneBlock, Lanes<double, 2>, Lanes<double, 4>, Lanes<double, 8>, Lanes<double, 16>>;
TYPED_TEST_SUITE(LanesTest, Widths);

TYPED_TEST(LanesTest, ArithmeticIsThatOfEachLane) {
  using L = TypeParam;
  const std::vector<double> points = {-3, -0.5, 0.25, 1, 1.5, 2, 7, 1e10, -1e-10};
  TestFixture::expect_same(
      points, [](L x) { return (x * x + 2.0 * x - x / 3.0) / (x * x + 1); },
      [](double x) { return (x * x + 2.0 * x - x / 3.0) / (x * x + 1); });
  TestFixture::expect_same(
      points, [](L x) { return pow(x, 5) - pow(x, -3) + pow(x, 0); },
      [](double x) { return x * (x * x) * (x * x) - 1 / (x * (x * x)) + 1; });
  TestFixture::expect_same(
      points, [](L x) { return abs(x) + min(x, 1) * max(x, 0.5) + sqrt(abs(x)); },
      [](double x) { return std::abs(x) + min(x, 1) * max(x, 0.5) + std::sqrt(std::abs(x)); });
}

TYPED_TEST(LanesTest, SelectChoosesInEachLane) {
  using L = TypeParam;
  TestFixture::expect_same(
      {-2, -1, 0, 1, 2, 3}, [](L x) { return select(x > 0 && !(x == 2 || x == 9), x, -10); },
      [](double x) { return select(x > 0 && x != 2, x, -10); });
  L x(1.0);
  EXPECT_TRUE(all(x > 0));
  x.set(1, -1.0);
  EXPECT_FALSE(all(x > 0));
  EXPECT_TRUE(any(x > 0));
  EXPECT_FALSE(any(x > 2));
  x.set(0, infinity);
  EXPECT_FALSE(isfinite(x)[0]);
  EXPECT_TRUE(isfinite(x)[1]);
}

#define HOLO_SAME(name, ...) \
  TestFixture::expect_same(  \
      {__VA_ARGS__}, [](TypeParam x) { return name(x); }, [](double x) { return std::name(x); })

TYPED_TEST(LanesTest, ElementaryFunctionsAreThoseOfEachLane) {
  const double nan = std::nan("");
  HOLO_SAME(sqrt, 0.0, 4.0, 2.0, -1.0, infinity, nan);
  HOLO_SAME(exp, 0.0, 1.0, -1.0, 0.3, 710.0, -800.0, infinity, -infinity, nan);
  HOLO_SAME(expm1, 0.0, 1e-20, 1.0, -1.0, 710.0, -800.0, infinity, -infinity, nan);
  HOLO_SAME(log, 1.0, 0.0, -1.0, 2.0, 1 + 1e-9, 1e-320, 1e300, infinity, nan);
  HOLO_SAME(log1p, 0.0, 1e-20, -1.0, -2.0, 3.0, infinity, nan);
  HOLO_SAME(sin, 0.0, 1.0, -2.0, 1e6, infinity, nan);
  HOLO_SAME(cos, 0.0, 1.0, -2.0, 1e6, infinity, nan);
  HOLO_SAME(tan, 0.0, 1.0, -2.0, 1e6, infinity, nan);
  HOLO_SAME(asin, 0.0, 0.5, -1.0, 1.0, 1.5, nan);
  HOLO_SAME(acos, 0.0, 0.5, -1.0, 1.0, 1.5, nan);
  HOLO_SAME(atan, 0.0, 0.5, -1e10, infinity, -infinity, nan);
  HOLO_SAME(sinh, 0.0, 0.5, -2.0, 800.0, -infinity, nan);
  HOLO_SAME(cosh, 0.0, 0.5, -2.0, 800.0, -infinity, nan);
  HOLO_SAME(tanh, 0.0, 0.5, -2.0, 800.0, -infinity, nan);
  HOLO_SAME(cbrt, 0.0, 0.5, -8.0, 1e300, -infinity, nan);
}

TYPED_TEST(LanesTest, BinaryFunctionsAreThoseOfEachLane) {
  using L = TypeParam;
  const std::vector<double> points = {0.5, 2.0, 0.0, -1.5, infinity, std::nan(""), 1e-5};
  TestFixture::expect_same(
      points, [](L x) { return pow(x, -2.0 / 3); }, [](double x) { return std::pow(x, -2.0 / 3); });
  TestFixture::expect_same(
      points, [](L x) { return pow(L(1.5), x); }, [](double x) { return std::pow(1.5, x); });
  TestFixture::expect_same(
      points, [](L x) { return atan2(x, -2.0); }, [](double x) { return std::atan2(x, -2.0); });
  TestFixture::expect_same(
      points, [](L x) { return hypot(x, 3.0); }, [](double x) { return std::hypot(x, 3.0); });
}

TEST(LaneBlock, LoadAndStoreKeepTheOrder) {
  alignas(64) double from[LaneBlock::width], to[LaneBlock::width];
  for (int i = 0; i < LaneBlock::width; ++i) from[i] = i + 0.5;
  LaneBlock::load(from).store(to);
  for (int i = 0; i < LaneBlock::width; ++i) EXPECT_EQ(from[i], to[i]);
}

}  // namespace
}  // namespace holo
