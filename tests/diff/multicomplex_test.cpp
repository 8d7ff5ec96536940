// Multicomplex numbers: laws, zero divisors, both rules for functions, the multicomplex step at every size.
#include "holo/diff/scalars/multicomplex.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "holo/diff/scalars/nilpotent.h"

namespace holo {
namespace {

template <class M>
class MulticomplexAlgebra : public ::testing::Test {
 protected:
  double number() { return distribution_(engine_); }
  M multicomplex() {
    M z;
    for (int s = 0; s < M::coefficient_count; ++s) z.set_coefficient(s, number());
    return z;
  }
  static M unit(int k) {
    M z;
    z.set_coefficient(1 << k, 1);
    return z;
  }

 private:
  std::mt19937_64 engine_{7};
  std::uniform_real_distribution<double> distribution_{-1, 1};
};
using Numbers = ::testing::Types<Multicomplex<1>, Multicomplex<2>, Multicomplex<3>, Multicomplex<4>>;
TYPED_TEST_SUITE(MulticomplexAlgebra, Numbers);

template <class M>
void expect_equal_values(const M& a, const M& b, double tolerance) {
  for (int s = 0; s < M::coefficient_count; ++s)
    EXPECT_NEAR(a.coefficient(s), b.coefficient(s), tolerance * (1 + b.largest())) << "coefficient " << s;
}

TYPED_TEST(MulticomplexAlgebra, IsACommutativeRing) {
  using M = TypeParam;
  for (int i = 0; i < 100; ++i) {
    const M a = this->multicomplex(), b = this->multicomplex(), c = this->multicomplex();
    expect_equal_values(a * b, b * a, 1e-14);
    expect_equal_values((a * b) * c, a * (b * c), 1e-13);
    expect_equal_values(a * (b + c), a * b + a * c, 1e-13);
    expect_equal_values((20.0 + a) / (20.0 + b) * (20.0 + b), 20.0 + a, 1e-13);
    expect_equal_values(a / b * b, a, 1e-9);  // b may lie close to a zero divisor
  }
  for (int k = 0; k < M::unit_count; ++k) expect_equal_values(this->unit(k) * this->unit(k), M(-1.0), 0);
}

TYPED_TEST(MulticomplexAlgebra, FunctionsSatisfyTheirIdentitiesFarFromTheRealAxis) {
  using M = TypeParam;
  for (int i = 0; i < 50; ++i) {
    const M z = this->multicomplex(), near = 3.0 + 0.1 * z;
    expect_equal_values(sin(z) * sin(z) + cos(z) * cos(z), M(1.0), 1e-11);
    expect_equal_values(cosh(z) * cosh(z) - sinh(z) * sinh(z), M(1.0), 1e-11);
    expect_equal_values(exp(z) * exp(-z), M(1.0), 1e-11);
    expect_equal_values(expm1(z) + 1.0, exp(z), 1e-12);
    expect_equal_values(sqrt(z) * sqrt(z), z, 1e-11);
    expect_equal_values(exp(log(z)), z, 1e-11);
    expect_equal_values(cbrt(near) * cbrt(near) * cbrt(near), near, 1e-12);
    expect_equal_values(pow(near, 2.5), near * near * sqrt(near), 1e-12);
    expect_equal_values(sin(asin(0.2 * z)), 0.2 * z, 1e-11);
    expect_equal_values(cos(acos(0.2 * z)), 0.2 * z, 1e-11);
    expect_equal_values(tan(atan(0.2 * z)), 0.2 * z, 1e-11);
    expect_equal_values(tan(0.2 * z) * cos(0.2 * z), sin(0.2 * z), 1e-11);
    expect_equal_values(log1p(near), log(1.0 + near), 1e-12);
    expect_equal_values(hypot(near, 2.0), sqrt(near * near + 4.0), 1e-12);
  }
}

TEST(MulticomplexZeroDivisors, AreNotInvertible) {
  using M = Multicomplex<2>;
  M plus, minus;  // i_1 + i_2 and i_1 - i_2
  plus.set_coefficient(1, 1), plus.set_coefficient(2, 1);
  minus.set_coefficient(1, 1), minus.set_coefficient(2, -1);
  EXPECT_TRUE((plus * minus).same_as(M(0.0)));
  EXPECT_FALSE(isfinite(M(1.0) / plus));
  // The square of h (i_1 + i_2) is one too: its root exists.
  const M step = M::seed(0.0, {1, 1}), root = sqrt(step * step);
  EXPECT_EQ(root.coefficient(1), complex_step);
  EXPECT_EQ(root.coefficient(2), complex_step);
}

TEST(MulticomplexStep, EqualsNilpotentNumbersAtRegularPoints) {
  const auto f = [](const auto& x, const auto& y) {
    return exp(sin(x)) / (1 + y * y) + atan2(y, x) * sqrt(2 + x * y) - pow(x, 1.3) * log(3 + y) + tanh(x) * hypot(x, y);
  };
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> point(0.3, 2), direction(-1, 1);
  for (int i = 0; i < 300; ++i) {
    double u[3], v[3];
    for (int k = 0; k < 3; ++k) u[k] = direction(random), v[k] = direction(random);
    const double x = point(random), y = point(random);
    const Nilpotent<3> a = f(Nilpotent<3>::seed(x, u), Nilpotent<3>::seed(y, v));
    const Multicomplex<3> b = f(Multicomplex<3>::seed(x, u), Multicomplex<3>::seed(y, v));
    const Complex<double> c = f(Complex<double>::seed(x, u[0]), Complex<double>::seed(y, v[0]));
    for (int s = 0; s < 8; ++s) EXPECT_NEAR(b.derivative(s), a.coefficient(s), 4e-15 * 16 * (1 + std::abs(a.coefficient(s))));
    EXPECT_NEAR(c.derivative(), a.coefficient(1), 4e-15 * (1 + std::abs(a.coefficient(1))));
    EXPECT_NEAR(c.value(), a.value(), 4e-15 * (1 + std::abs(a.value())));
  }
}

template <int n>
Multicomplex<n> figure(double h) {
  double ones[n];
  for (double& one : ones) one = 1;
  const auto x = Multicomplex<n>::seed(4.0, ones, h), q = x * x;
  return exp(x) / (q * q + q + 1);
}

// [Luo2019] Fig 5.
TEST(MulticomplexStep, GivesPublishedDerivativesForEverySmallStep) {
  for (int k = 27; k <= 127; ++k) {
    const double h = std::ldexp(1.0, -k);
    EXPECT_NEAR(figure<2>(h).derivative(3, h) / 0.0451218459155398407541939223071, 1, 1e-15) << "2^-" << k;
    if (k < 30) continue;
    EXPECT_NEAR(figure<3>(h).derivative(7, h) / -0.0152927985836301119121207500276, 1, 1e-14) << "2^-" << k;
  }
  const auto error = [](int k) {
    const double h = std::ldexp(1.0, -k);
    return std::abs(figure<2>(h).derivative(3, h) / 0.0451218459155398407541939223071 - 1);
  };
  for (int k = 4; k < 16; ++k) EXPECT_NEAR(std::log2(error(k) / error(k + 1)), 2, 0.1) << "2^-" << k;
}

TEST(MulticomplexStep, CancelsByIdempotentsAtRegularPoints) {  // so the power series is needed there
  const auto x = Multicomplex<2>::seed(0.7, {1, 1});
  const auto f = [](const auto& z) { return log(z); };
  EXPECT_NEAR(log(x).derivative(), -1 / 0.49, 1e-14);
  EXPECT_GT(std::abs(detail::by_idempotents(f, x).derivative() + 1 / 0.49), 0.5);
}

// Steps between: neither rule may lose digits.
TEST(MulticomplexStep, KeepsItsDigitsAtMediumSteps) {
  for (int k = 8; k <= 60; ++k) {
    const double h = std::ldexp(1.0, -k);
    const auto x = Multicomplex<3>::seed(2.0, {1, 1, 1}, h);
    const double tolerance = 1e-14 + 100 * h * h;
    EXPECT_NEAR(log(x).derivative(7, h) / 0.25, 1, tolerance);
    EXPECT_NEAR(sqrt(x).derivative(7, h) / (0.375 * std::pow(2.0, -2.5)), 1, tolerance);
    EXPECT_NEAR(atan(x).derivative(7, h) / 0.176, 1, tolerance);
  }
}

// The entries of the table of singular points that the full step gets right.
TEST(MulticomplexStep, GoesThroughSomeSingularPoints) {
  const auto interpreted = [](const auto& x) {
    const auto s = sqrt((x - 1) * (x - 1)), l = log(1 - s);
    return l * l;
  };
  EXPECT_NEAR(interpreted(Multicomplex<1>::seed(1.0, {1})).derivative(), 0, 1e-30);
  EXPECT_NEAR(interpreted(Multicomplex<2>::seed(1.0, {1, 1})).derivative(), 2, 1e-14);
  const auto root = [](const auto& x) { return pow(sqrt(x), 4); };
  EXPECT_NEAR(root(Multicomplex<2>::seed(0.0, {1, 1})).derivative(), 2, 1e-14);
  EXPECT_EQ(sqrt(square(Multicomplex<1>::seed(0.0, {1}))).derivative(), 1);
}

}  // namespace
}  // namespace holo
