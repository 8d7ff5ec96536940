// The accelerated complex step as printed: its error in the step, isolated chains, products.
#include "holo/diff/scalars/accelerated_paper.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "holo/diff/scalars/complex.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo {
namespace {

using A = AcceleratedPaper<double>;

// [Luo2019] Fig 3: x^(1/3) at 2, Eqs 8 and 10.
TEST(AcceleratedPaper, PowerHasTheErrorOfItsEquation) {
  const double exact = std::cbrt(2.0) / 6;
  const auto error_of_10 = [&](double h) { return std::abs(pow(A(2.0, h), 1.0 / 3).imaginary() / h / exact - 1); };
  const auto error_of_8 = [&](double h) { return std::abs(pow(Complex<double>(2.0, h), 1.0 / 3).imaginary() / h / exact - 1); };
  for (int k = 4; k <= 12; ++k) {
    const double h = std::ldexp(1.0, -k);
    EXPECT_NEAR(error_of_10(h) / (h * h / 12), 1, k <= 4 ? 2e-3 : 1e-3) << "2^-" << k;
    EXPECT_NEAR(error_of_8(h) / (0.0463 * h * h), 1, 3e-3) << "2^-" << k;
  }
  for (int k = 27; k <= 127; ++k) EXPECT_LE(error_of_10(std::ldexp(1.0, -k)), 4e-16) << "2^-" << k;
}

TEST(AcceleratedPaper, EqualsNilpotentNumbersAtRegularPoints) {
  const auto f = [](const auto& x) {
    return exp(sin(x)) / (1 + x * x) + atan2(x, 0.5) * sqrt(2 + x) - pow(x, 1.3) * log(x) + tanh(x) * hypot(x, 2.0) + cbrt(x);
  };
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> point(0.3, 2);
  for (int i = 0; i < 300; ++i) {
    const double x = point(random);
    const A a = f(A::seed(x, 1));
    const Nilpotent<1> b = f(Nilpotent<1>::seed(x, {1.0}));
    EXPECT_NEAR(a.derivative(), b.derivative(), 1e-14 * (1 + std::abs(b.derivative())));
    EXPECT_NEAR(a.value(), b.value(), 1e-14 * (1 + std::abs(b.value())));
  }
}

TEST(AcceleratedPaper, ProductOfIsolatedRatiosIsTheDerivative) {
  A x = A::seed(0.7, 1);
  double derivative = 1;
  x = sin(x), derivative *= isolate(x);
  x = exp(x), derivative *= isolate(x);
  x = log(1.5 + x), derivative *= isolate(x);
  EXPECT_EQ(x.derivative(), 1);
  const Nilpotent<1> expected = log(1.5 + exp(sin(Nilpotent<1>::seed(0.7, {1.0}))));
  EXPECT_NEAR(derivative, expected.derivative(), 1e-15);
}

// Chains of factors f_k(x), among them `zeros` that vanish.
class ProductChain : public ::testing::TestWithParam<int> {};

TEST_P(ProductChain, ByLeavesEqualsTheRunningProduct) {
  std::mt19937_64 random(GetParam());
  std::uniform_real_distribution<double> value(0.5, 1.5), slope(-1, 1);
  std::vector<A> factors;
  std::vector<Nilpotent<1>> nilpotent;
  for (int k = 0; k < 100; ++k) {
    const double v = k < GetParam() ? 0 : value(random), d = slope(random);
    factors.push_back(A::seed(v, d));
    nilpotent.push_back(Nilpotent<1>::seed(v, {d}));
  }
  const A by_leaves = product_by_leaves<double>(factors);
  const A running = running_product<A>(factors);
  const Nilpotent<1> expected = running_product<Nilpotent<1>>(nilpotent);
  const double scale = 1e-13 * (1e-300 + std::abs(expected.derivative()));
  EXPECT_NEAR(by_leaves.derivative(), expected.derivative(), 10 * scale);
  EXPECT_NEAR(running.derivative(), expected.derivative(), scale);
  EXPECT_EQ(by_leaves.value(), expected.value());
  if (GetParam() < 2)
    EXPECT_NE(expected.derivative(), 0);
  else
    EXPECT_EQ(by_leaves.derivative(), 0);
}
INSTANTIATE_TEST_SUITE_P(Zeros, ProductChain, ::testing::Values(0, 1, 2));

// The reason why it is not the library's own: a finite answer where there is no derivative.
TEST(AcceleratedPaper, IsFiniteWhereThereIsNoDerivative) {
  const A x = A::seed(0, 1);
  EXPECT_EQ(sqrt(x * x).derivative(), 0);  // -1 and 1 from the left and the right
  EXPECT_GT(sqrt(x).derivative(), 1e19);   // infinite
  EXPECT_TRUE(isfinite(sqrt(x)));
  const A y = A::seed(1, 1), s = log(1 - sqrt(y - 1));
  EXPECT_EQ((s * s).derivative(), 0);  // 1 from the right
}

}  // namespace
}  // namespace holo
