// Nilpotent numbers of orders three and more: laws, the symmetry of mixed derivatives, the series of equal directions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/scalars/taylor.h"

namespace holo {
namespace {

template <class N>
class HigherOrders : public ::testing::Test {
 protected:
  double number() { return distribution_(engine_); }
  // All coefficients set.
  N nilpotent() {
    double directions[N::order];
    for (double& d : directions) d = number();
    return fill(N::seed(2 + number(), directions), std::make_integer_sequence<int, N::coefficient_count>());
  }

 private:
  template <int... mask>
  N fill(N x, std::integer_sequence<int, mask...>) {
    ((mask > 0 ? x.template set_coefficient<mask>(number()) : void()), ...);
    return x;
  }
  std::mt19937_64 engine_{23};
  std::uniform_real_distribution<double> distribution_{-1, 1};
};
using Numbers = ::testing::Types<Nilpotent<3>, Nilpotent<4>, Nilpotent<5>>;
TYPED_TEST_SUITE(HigherOrders, Numbers);

template <class N>
void expect_close(const N& a, const N& b, double tolerance) {
  double size = 1;
  for (int s = 0; s < N::coefficient_count; ++s) size = std::max(size, std::abs(b.coefficient(s)));
  for (int s = 0; s < N::coefficient_count; ++s)
    EXPECT_NEAR(a.coefficient(s), b.coefficient(s), tolerance * size) << "coefficient " << s;
}

TYPED_TEST(HigherOrders, AreACommutativeFieldWithVanishingSquares) {
  using N = TypeParam;
  for (int i = 0; i < 50; ++i) {
    const N a = this->nilpotent(), b = this->nilpotent(), c = this->nilpotent();
    expect_close(a * b, b * a, 1e-15);
    expect_close((a * b) * c, a * (b * c), 1e-14);
    expect_close(a * (b + c), a * b + a * c, 1e-14);
    expect_close(a / b * b, a, 1e-12);
    expect_close(sin(a) * sin(a) + cos(a) * cos(a), N(1.0), 1e-13);
    expect_close(log(exp(a)), a, 1e-12);
    expect_close(sqrt(a) * sqrt(a), a, 1e-12);
  }
  for (int k = 0; k < N::order; ++k) {
    double unit[N::order] = {};
    unit[k] = 1;
    const N eps = N::seed(0.0, unit);
    expect_close(eps * eps, N(0.0), 0);
  }
}

// Every coefficient of a product is the sum over all ways to split its units, each once.
TYPED_TEST(HigherOrders, ProductsAreSubsetConvolutions) {
  using N = TypeParam;
  const N a = this->nilpotent(), b = this->nilpotent(), found = a * b;
  for (int s = 0; s < N::coefficient_count; ++s) {
    double expected = 0;
    for (int t = 0; t <= s; ++t)
      if ((t & ~s) == 0) expected += a.coefficient(t) * b.coefficient(s ^ t);
    EXPECT_NEAR(found.coefficient(s), expected, 1e-14) << "coefficient " << s;
  }
}

const auto function = [](const auto& x, const auto& y) {
  return exp(x / y) * sqrt(x) + pow(x, y) / (1 + y * y) - atan2(y, x) * sinc(x) + tanh(y) * hypot(x, y) + erf(x) * log(y);
};

// Mixed derivatives do not see the order of the directions.
TYPED_TEST(HigherOrders, PermutedDirectionsPermuteTheMasks) {
  using N = TypeParam;
  constexpr int n = N::order;
  double dx[n], dy[n];
  for (int k = 0; k < n; ++k) dx[k] = this->number(), dy[k] = this->number();
  const N straight = function(N::seed(1.3, dx), N::seed(0.8, dy));
  std::array<int, n> order;
  std::iota(order.begin(), order.end(), 0);
  int permutations = 0;
  while (std::next_permutation(order.begin(), order.end()) && ++permutations < 30) {
    double px[n], py[n];
    for (int k = 0; k < n; ++k) px[k] = dx[order[k]], py[k] = dy[order[k]];
    const N permuted = function(N::seed(1.3, px), N::seed(0.8, py));
    for (int s = 0; s < N::coefficient_count; ++s) {
      int mask = 0;
      for (int k = 0; k < n; ++k)
        if (s >> k & 1) mask |= 1 << order[k];
      const double expected = straight.coefficient(mask);
      EXPECT_NEAR(permuted.coefficient(s), expected, 1e-12 * (1 + std::abs(expected))) << "coefficient " << s;
    }
  }
  EXPECT_GE(permutations, 5);
}

TYPED_TEST(HigherOrders, EqualDirectionsGiveTheSeries) {
  using N = TypeParam;
  constexpr int n = N::order;
  for (int i = 0; i < 20; ++i) {
    const double x = 1.5 + 0.5 * this->number(), v = this->number(), w = this->number();
    double dx[n], dy[n];
    for (int k = 0; k < n; ++k) dx[k] = v, dy[k] = w;
    const N mixed = function(N::seed(x, dx), N::seed(0.9, dy));
    const Taylor<n> series = function(Taylor<n>::seed(x, v), Taylor<n>::seed(0.9, w));
    for (int s = 0; s < N::coefficient_count; ++s) {
      const double expected = series.derivative(__builtin_popcount(unsigned(s)));
      EXPECT_NEAR(mixed.coefficient(s), expected, 1e-11 * (1 + std::abs(expected))) << "coefficient " << s;
    }
  }
}

}  // namespace
}  // namespace holo
