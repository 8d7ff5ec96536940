// Jets against nilpotent numbers along all pairs of axes, laws, lanes.
#include "holo/diff/scalars/jet.h"

#include <gtest/gtest.h>

#include <random>

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo {
namespace {

static_assert(sizeof(Jet<2, 3>) == 10 * sizeof(double));  // the symmetric half
static_assert((Jet<2, 2>::variable(0, 2.0) * Jet<2, 2>::variable(1, 3.0)).hessian(1, 0) == 1);
static_assert(pow(Jet<2, 1>::variable(0, 3.0), 3).hessian(0, 0) == 18);

const auto energy = [](const auto& x, const auto& y, const auto& z) {
  const auto l = log(y);
  return pow(y, -0.7) * (x - 3) + l * l / (1 + z * z) + exp(z) * hypot(x, y) - max(x, y) * atan2(z, x) + 2 / (x + y);
};

struct Points : ::testing::Test {
  std::mt19937_64 engine{13};
  std::uniform_real_distribution<double> distribution{0.4, 2};
  double number() { return distribution(engine); }
};
using JetNumbers = Points;

TEST_F(JetNumbers, EqualNilpotentNumbersAlongAllPairsOfAxes) {
  using J = Jet<2, 3>;
  for (int n = 0; n < 50; ++n) {
    const double x[3] = {number(), number(), number()};
    const J found = energy(J::variable(0, x[0]), J::variable(1, x[1]), J::variable(2, x[2]));
    const auto first = energy(Jet<1, 3>::variable(0, x[0]), Jet<1, 3>::variable(1, x[1]), Jet<1, 3>::variable(2, x[2]));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        Nilpotent<2> s[3];
        for (int k = 0; k < 3; ++k) s[k] = Nilpotent<2>::seed(x[k], {double(k == i), double(k == j)});
        const Nilpotent<2> expected = energy(s[0], s[1], s[2]);
        EXPECT_NEAR(found.value(), expected.value(), 1e-14);
        EXPECT_NEAR(found.gradient(i), expected.coefficient(1), 1e-13);
        EXPECT_NEAR(first.gradient(i), expected.coefficient(1), 1e-13);
        EXPECT_NEAR(found.hessian(i, j), expected.coefficient(3), 1e-12);
        EXPECT_EQ(found.hessian(i, j), found.hessian(j, i));
      }
  }
}

TEST_F(JetNumbers, AreACommutativeField) {
  using J = Jet<2, 2>;
  const auto jet = [&] {
    J a(number());
    for (int i = 0; i < 2; ++i) a.set_gradient(i, number() - 1);
    a.set_hessian(0, 0, number()), a.set_hessian(1, 0, number()), a.set_hessian(1, 1, number());
    return a;
  };
  const auto expect_close = [](const J& a, const J& b) {
    EXPECT_NEAR(a.value(), b.value(), 1e-12);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(a.gradient(i), b.gradient(i), 1e-12 * (1 + std::abs(b.gradient(i))));
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) EXPECT_NEAR(a.hessian(i, j), b.hessian(i, j), 1e-12 * (1 + std::abs(b.hessian(i, j))));
  };
  for (int n = 0; n < 100; ++n) {
    const J a = jet(), b = jet(), c = jet();
    expect_close(a * b, b * a);
    expect_close((a * b) * c, a * (b * c));
    expect_close(a * (b + c), a * b + a * c);
    expect_close(a / b * b, a);
    expect_close(1.0 / (1.0 / a), a);
    expect_close(exp(log(a)), a);
    expect_close(sin(a) * sin(a) + cos(a) * cos(a), J(1.0));
  }
}

TEST_F(JetNumbers, InLanesEqualOnePointAtATime) {
  using L = Jet<2, 2, LaneBlock>;
  const auto f = [](const auto& x, const auto& y) { return log(y) * (x - 3) / sqrt(x) + min(x, y) * exp(y); };
  LaneBlock x(0.0), y(0.0);
  for (int k = 0; k < LaneBlock::width; ++k) x.set(k, number()), y.set(k, number());
  const L together = f(L::variable(0, x), L::variable(1, y));
  for (int k = 0; k < LaneBlock::width; ++k) {
    const Jet<2, 2> alone = f(Jet<2, 2>::variable(0, x[k]), Jet<2, 2>::variable(1, y[k]));
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        EXPECT_NEAR(together.hessian(i, j)[k], alone.hessian(i, j), 1e-13 * (1 + std::abs(alone.hessian(i, j))));
  }
}

TEST(JetSingularPoint, LeavesNonFiniteEntries) {
  const auto x = Jet<2, 2>::variable(0, 0.0), y = Jet<2, 2>::variable(1, 1.0);
  EXPECT_FALSE(isfinite(sqrt(x * x) + y));
  EXPECT_TRUE(isnan(sqrt(x * x) + y));
  EXPECT_TRUE(isfinite(x * y + exp(y)));
}

}  // namespace
}  // namespace holo
