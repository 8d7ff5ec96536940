// Multicomplex numbers as real matrices.
#include "holo/diff/scalars/cauchy_riemann_number.h"

#include <gtest/gtest.h>

#include <cmath>

#include "holo/diff/scalars/multicomplex.h"

namespace holo {
namespace {

const auto function = [](const auto& x) {
  using S = std::remove_cvref_t<decltype(x)>;
  return S(2.0 * x * exp(x) / (1.0 + x * x) - log(x + 3.0) + pow(x, 3) - sqrt(x) * 0.5 + 1.0 / (x - 0.25) + pow(x, -2.0 / 3));
};

template <int n>
void expect_derivative_of_multicomplex_numbers() {
  double ones[n];
  for (double& one : ones) one = 1;
  const double expected = function(Multicomplex<n>::seed(1.3, ones)).derivative();
  const CauchyRiemannNumber<n> found = function(CauchyRiemannNumber<n>::seed(1.3, ones));
  EXPECT_NEAR(found.derivative(), expected, 1e-14 * std::abs(expected)) << n;
  EXPECT_DOUBLE_EQ(found.value(), function(1.3)) << n;
}

TEST(CauchyRiemannNumber, DerivativesAreThoseOfMulticomplexNumbers) {
  expect_derivative_of_multicomplex_numbers<1>();
  expect_derivative_of_multicomplex_numbers<2>();
  expect_derivative_of_multicomplex_numbers<3>();
}

// (2 + 3i)(4 + 5i) = -7 + 22i, and back again by the quotient; the step is 1, where no term vanishes.
TEST(CauchyRiemannNumber, ProductsAndQuotientsAreThoseOfComplexNumbers) {
  using C = CauchyRiemannNumber<1>;
  const C a = C::seed(2, {3}, 1), b = C::seed(4, {5}, 1), product = a * b;
  EXPECT_EQ(product.value(), -7);
  EXPECT_EQ(product.derivative(1), 22);
  EXPECT_NEAR((product / b).value(), 2, 1e-15);
  EXPECT_NEAR((product / b).derivative(1), 3, 1e-15);
}

// i / i = 1: the real part alone is 0, and the matrix still has an inverse.
TEST(CauchyRiemannNumber, QuotientExchangesRows) {
  using C = CauchyRiemannNumber<1>;
  const C i = C::seed(0, {1}, 1), one = i / i;
  EXPECT_EQ(one.value(), 1);
  EXPECT_EQ(one.derivative(1), 0);
}

TEST(CauchyRiemannNumber, DivisionByZeroIsNotFinite) {
  using C = CauchyRiemannNumber<2>;
  EXPECT_FALSE(isfinite(C(1.0) / C(0.0)));
  EXPECT_TRUE(isfinite(C(1.0) / C(2.0)));
}

}  // namespace
}  // namespace holo
