// The complex-step scalar against mixed central differences in 100-digit arithmetic (step 1e-20, so their error is 1e-40).
#include "holo/diff/scalars/nilpotent.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "elementary_functions.h"
#include "holo/diff/lanes/lanes.h"

namespace holo {
namespace {

using First = Nilpotent<1>;
using Second = Nilpotent<2>;
using FirstLanes = Nilpotent<1, LaneBlock>;
using SecondLanes = Nilpotent<2, LaneBlock>;
constexpr int W = LaneBlock::width;

#ifdef NDEBUG
constexpr int point_count = 400;
#else
constexpr int point_count = 48;  // 100 digits take ten times as long without optimization
#endif
constexpr double epsilon = 2.220446049250313e-16;

// A function of (x, y) in every scalar; a function of one number ignores y.
struct Function {
  const char* name;
  double x_low, x_high, y_low, y_high;
  Reference (*reference)(const Reference&, const Reference&);
  First (*first)(const First&, const First&);
  Second (*second)(const Second&, const Second&);
  FirstLanes (*first_lanes)(const FirstLanes&, const FirstLanes&);
  SecondLanes (*second_lanes)(const SecondLanes&, const SecondLanes&);
};

#define FUNCTION(label, x_low, x_high, y_low, y_high, expression, expected)                                                   \
  Function{                                                                                                                   \
      label,                                                                                                                  \
      x_low,                                                                                                                  \
      x_high,                                                                                                                 \
      y_low,                                                                                                                  \
      y_high,                                                                                                                 \
      []([[maybe_unused]] const Reference& x, [[maybe_unused]] const Reference& y) -> Reference { return expected; },         \
      []([[maybe_unused]] const First& x, [[maybe_unused]] const First& y) -> First { return expression; },                   \
      []([[maybe_unused]] const Second& x, [[maybe_unused]] const Second& y) -> Second { return expression; },                \
      []([[maybe_unused]] const FirstLanes& x, [[maybe_unused]] const FirstLanes& y) -> FirstLanes { return expression; },    \
      []([[maybe_unused]] const SecondLanes& x, [[maybe_unused]] const SecondLanes& y) -> SecondLanes { return expression; }, \
  },
#define UNARY(expression, low, high, expected) FUNCTION(#expression, low, high, 0, 1, expression, expected)
#define BINARY(expression, xl, xh, yl, yh, expected) FUNCTION(#expression, xl, xh, yl, yh, expression, expected)

const Function functions[] = {HOLO_ELEMENTARY_FUNCTIONS(UNARY, BINARY)};

using Coefficients = std::array<double, 4>;  // a_0, a_1, a_2, a_12
struct Point {
  Coefficients x, y;
};
struct Expected {
  std::array<Reference, 4> value;
  std::array<double, 4> condition;  // |coefficient| + what a relative change of each input does to it
};

// The four coefficients of f from its values at the corners (+-h, +-h) of the two directions.
std::array<Reference, 4> mixed_differences(const Function& f, const Point& p, const Reference& x_scale,
                                           const Reference& y_scale) {
  static const Reference h("1e-20");
  const auto at = [&](int s, int t) {
    const auto along = [&](const Coefficients& a, const Reference& scale) {
      return Reference(scale * a[0] + h * (s * Reference(a[1]) + t * Reference(a[2])) + h * h * (s * t * Reference(a[3])));
    };
    return f.reference(along(p.x, x_scale), along(p.y, y_scale));
  };
  const Reference pp = at(1, 1), pm = at(1, -1), mp_ = at(-1, 1), mm = at(-1, -1);
  return {(pp + pm + mp_ + mm) / 4, (pp + pm - mp_ - mm) / (4 * h), (pp - pm + mp_ - mm) / (4 * h),
          (pp - pm - mp_ + mm) / (4 * h * h)};
}

Expected expect(const Function& f, const Point& p) {
  const Reference step("1e-12");
  Expected e;
  e.value = mixed_differences(f, p, 1, 1);
  Point straight = p;
  straight.x[3] = straight.y[3] = 0;
  const auto variants = {mixed_differences(f, p, 1 + step, 1), mixed_differences(f, p, 1, 1 + step)};
  const auto without = mixed_differences(f, straight, 1, 1);
  for (int s = 0; s < 4; ++s) {
    Reference condition = mp::abs(e.value[s]);
    for (const auto& moved : variants) condition += mp::abs(moved[s] - e.value[s]) / step;
    if (s == 3) condition += mp::abs(without[3]);
    e.condition[s] = static_cast<double>(condition);
  }
  return e;
}

// Largest error over all points in units of 8 ulp x conditioning.
class Worst {
 public:
  void add(double found, const Expected& e, int mask) {
    const double error = static_cast<double>(mp::abs(found - e.value[mask]));
    const double allowed = 8 * epsilon * e.condition[mask] + 1e-290;
    const double ratio = error / allowed;
    if (!(ratio <= ratio_)) ratio_ = ratio;  // keeps a NaN
    magnitude_ = std::max(magnitude_, std::abs(found));
  }
  double ratio() const { return ratio_; }
  double magnitude() const { return magnitude_; }

 private:
  double ratio_ = 0, magnitude_ = 0;
};

Point random_point(const Function& f, std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(0, 1), direction(-2, 2);
  Point p;
  p.x = {f.x_low + (f.x_high - f.x_low) * unit(random), direction(random), direction(random), direction(random)};
  p.y = {f.y_low + (f.y_high - f.y_low) * unit(random), direction(random), direction(random), direction(random)};
  return p;
}

First first(const Coefficients& a) { return First::seed(a[0], {a[1]}); }
Second second(const Coefficients& a) {
  Second x = Second::seed(a[0], {a[1], a[2]});
  x.set_coefficient<3>(a[3]);
  return x;
}
LaneBlock lanes(const std::array<Point, W>& points, Coefficients Point::*which, int mask) {
  LaneBlock result(0.0);
  for (int i = 0; i < W; ++i) result.set(i, (points[i].*which)[mask]);
  return result;
}
SecondLanes second_lanes(const std::array<Point, W>& points, Coefficients Point::*which) {
  SecondLanes x = SecondLanes::seed(lanes(points, which, 0), {lanes(points, which, 1), lanes(points, which, 2)});
  x.set_coefficient<3>(lanes(points, which, 3));
  return x;
}
FirstLanes first_lanes(const std::array<Point, W>& points, Coefficients Point::*which) {
  return FirstLanes::seed(lanes(points, which, 0), {lanes(points, which, 1)});
}

class ElementaryFunction : public ::testing::TestWithParam<int> {
 protected:
  const Function& f = functions[GetParam()];
};

TEST_P(ElementaryFunction, EqualsMixedCentralDifferencesInHundredDigits) {
  std::mt19937_64 random(17 + GetParam());
  Worst worst_first, worst_second, worst_first_lanes, worst_second_lanes;
  for (int done = 0; done < point_count; done += W) {
    std::array<Point, W> points;
    for (Point& p : points) p = random_point(f, random);
    const FirstLanes l1 = f.first_lanes(first_lanes(points, &Point::x), first_lanes(points, &Point::y));
    const SecondLanes l2 = f.second_lanes(second_lanes(points, &Point::x), second_lanes(points, &Point::y));
    for (int i = 0; i < W; ++i) {
      const Expected e = expect(f, points[i]);
      const First n1 = f.first(first(points[i].x), first(points[i].y));
      const Second n2 = f.second(second(points[i].x), second(points[i].y));
      for (int s = 0; s < 2; ++s) worst_first.add(n1.coefficient(s), e, s);
      for (int s = 0; s < 2; ++s) worst_first_lanes.add(l1.coefficient(s)[i], e, s);
      for (int s = 0; s < 4; ++s) worst_second.add(n2.coefficient(s), e, s);
      for (int s = 0; s < 4; ++s) worst_second_lanes.add(l2.coefficient(s)[i], e, s);
    }
  }
  EXPECT_GT(worst_second.magnitude(), 0) << f.name << ": the check is vacuous";
  EXPECT_LE(worst_first.ratio(), 1) << f.name << ", order 1, double";
  EXPECT_LE(worst_second.ratio(), 1) << f.name << ", order 2, double";
  EXPECT_LE(worst_first_lanes.ratio(), 1) << f.name << ", order 1, lanes";
  EXPECT_LE(worst_second_lanes.ratio(), 1) << f.name << ", order 2, lanes";
}

INSTANTIATE_TEST_SUITE_P(Nilpotent, ElementaryFunction, ::testing::Range(0, int(std::size(functions))));

}  // namespace
}  // namespace holo
