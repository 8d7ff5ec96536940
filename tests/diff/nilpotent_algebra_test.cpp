// Laws of the algebra, branches, singular points, product chains.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/nilpotent.h"
#include "random_nilpotent.h"

namespace holo {
namespace {

using First = Nilpotent<1>;
using Second = Nilpotent<2>;
using Third = Nilpotent<3>;
constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

// What can be known at compile time is.
constexpr Second product = Second::seed(2.0, {1, 0}) * Second::seed(3.0, {0, 1});
static_assert(product.value() == 6 && product.coefficient(1) == 3 && product.coefficient(2) == 2 &&
              product.coefficient(3) == 1);
static_assert((1 / Second::seed(2.0, {1, 1})).coefficient(3) == 0.25);
static_assert(pow(Third::seed(3.0, {1, 1, 1}), 4).derivative() == 72);
static_assert(max(First::seed(1.0, {5.0}), 0.5).derivative() == 5);

using Random = test::RandomNilpotent;

template <class N>
void expect_close(const N& a, const N& b, double tolerance) {
  for (int s = 0; s < N::coefficient_count; ++s)
    EXPECT_NEAR(a.coefficient(s), b.coefficient(s), tolerance * (1 + std::abs(b.coefficient(s)))) << "coefficient " << s;
}

template <class N>
class NilpotentAlgebra : public ::testing::Test {};
using Orders = ::testing::Types<First, Second, Third>;
TYPED_TEST_SUITE(NilpotentAlgebra, Orders);

TYPED_TEST(NilpotentAlgebra, IsACommutativeField) {
  using N = TypeParam;
  Random random;
  for (int i = 0; i < 200; ++i) {
    const N a = random.nilpotent<N>(), b = random.nilpotent<N>(), c = random.nilpotent<N>();
    expect_close(a * b, b * a, 1e-14);
    expect_close((a * b) * c, a * (b * c), 1e-14);
    expect_close(a * (b + c), a * b + a * c, 1e-14);
    expect_close(a / b * b, a, 1e-14);
    expect_close(1.0 / (1.0 / a), a, 1e-14);
    expect_close(a - a, N(0.0), 0);
    expect_close(a + b, b + a, 0);
    EXPECT_NE((a * b).derivative(), 0);
  }
}

TYPED_TEST(NilpotentAlgebra, SquaresOfTheUnitsVanish) {
  using N = TypeParam;
  for (int k = 0; k < N::order; ++k) {
    double unit[N::order] = {};
    unit[k] = 1;
    const N eps = N::seed(0.0, unit);
    expect_close(eps * eps, N(0.0), 0);
    EXPECT_EQ(eps.coefficient(1 << k), 1);
  }
}

TYPED_TEST(NilpotentAlgebra, FunctionsInvertEachOther) {
  using N = TypeParam;
  Random random;
  for (int i = 0; i < 200; ++i) {
    const N x = random.nilpotent<N>();
    expect_close(log(exp(x)), x, 1e-13);
    expect_close(cbrt(x * x * x), x, 1e-13);
    expect_close(sqrt(x) * sqrt(x), x, 1e-13);
    expect_close(sin(asin(x / 4)), x / 4, 1e-13);
    expect_close(tan(atan(x)), x, 1e-12);
    expect_close(expm1(log1p(x)), x, 1e-13);
    const N s = sin(x), c = cos(x), sh = sinh(x), ch = cosh(x);
    expect_close(s * s + c * c, N(1.0), 1e-13);
    expect_close(ch * ch - sh * sh, N(1.0), 1e-11);
    expect_close(asin(x / 4) + acos(x / 4), N(std::acos(0.0)), 1e-13);
    expect_close(sinc(x) * x, s, 1e-13);
    expect_close(sinhc(x) * x, sh, 1e-13);
    expect_close(one_minus_cos_over_square(x) * x * x, 1 - c, 1e-13);
    expect_close(exp(log(x) * 2.5), pow(x, 2.5), 1e-12);
  }
}

TYPED_TEST(NilpotentAlgebra, CompositionFollowsTheChainRule) {
  // d/dt of log(2 + sin(t)) and its second derivative, in closed form
  using N = TypeParam;
  double ones[N::order];
  for (double& one : ones) one = 1;
  for (double t : {-2.0, 0.3, 1.1, 5.0}) {
    const N y = log(2 + sin(N::seed(t, ones)));
    const double s = std::sin(t), c = std::cos(t);
    EXPECT_NEAR(y.coefficient(1), c / (2 + s), 1e-15);
    if constexpr (N::order >= 2) {
      EXPECT_NEAR(y.coefficient(3), -(1 + 2 * s) / ((2 + s) * (2 + s)), 1e-15);
    }
  }
}

TEST(NilpotentOrder, TwoIsSymmetricInItsDirections) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const Second x = random.nilpotent<Second>(), y = random.nilpotent<Second>();
    const auto swap = [](const Second& a) {
      Second b = Second::seed(a.value(), {a.coefficient(2), a.coefficient(1)});
      b.set_coefficient<3>(a.coefficient(3));
      return b;
    };
    const auto f = [](const Second& a, const Second& b) { return exp(a / b) * sqrt(a) + pow(a, b); };
    expect_close(f(swap(x), swap(y)), swap(f(x, y)), 1e-14);
  }
}

TEST(NilpotentOrder, LowerDerivativesAreThoseOfLowerOrders) {
  Random random;
  for (int i = 0; i < 100; ++i) {
    const double x = 2 + random.number(), u = random.number(), v = random.number(), w = random.number();
    const auto f = [](const auto& a) { return exp(sin(a)) / (1 + a * a) + atan2(a, 0.5) * sinc(a); };
    const First f1 = f(First::seed(x, {u}));
    const Second f2 = f(Second::seed(x, {u, v}));
    const Third f3 = f(Third::seed(x, {u, v, w}));
    EXPECT_NEAR(f1.derivative(), f2.coefficient(1), 1e-14);
    for (int s = 0; s < 4; ++s) EXPECT_NEAR(f2.coefficient(s), f3.coefficient(s), 1e-13);
  }
}

TEST(NilpotentOrder, ThreeGivesThePublishedThirdDerivative) {
  // [Luo2019] Fig 2 and 5: exp(x) / (x^4 + x^2 + 1) at 4
  const Third x = Third::seed(4.0, {1, 1, 1});
  const Third y = exp(x) / (pow(x, 4) + x * x + 1);
  EXPECT_NEAR(y.coefficient(1), 0.00659318319443838172661638222471, 1e-16);
  EXPECT_NEAR(y.coefficient(3), 0.0451218459155398407541939223071, 2e-16);
  EXPECT_NEAR(y.coefficient(7), -0.0152927985836301119121207500276, 2e-15);
}

TEST(NilpotentBranch, NegativeSeedsKeepThePrincipalBranch) {
  const First x = First::seed(0.0, {1.0});
  EXPECT_DOUBLE_EQ(sqrt(4 - x).value(), 2);
  EXPECT_DOUBLE_EQ(sqrt(4 - x).derivative(), -0.25);
  EXPECT_DOUBLE_EQ(log(5 - x).derivative(), -0.2);
  EXPECT_DOUBLE_EQ(pow(3 - x, 0.3).derivative(), -0.3 * std::pow(3.0, -0.7));
  EXPECT_DOUBLE_EQ(atan2(First::seed(1e-3, {-1.0}), -1.0).derivative(), 1 / (1 + 1e-6));
  EXPECT_DOUBLE_EQ(atan2(First::seed(-1e-3, {1.0}), -1.0).value(), std::atan2(-1e-3, -1.0));
}

TEST(NilpotentBranch, ATieTakesTheRightOrTheFirstBranchAndIsCounted) {
  const First zero = First::seed(0.0, {3.0}), one = First::seed(0.0, {5.0});
  const KinkCounters before = kink_counters();
  EXPECT_EQ(abs(zero).derivative(), 3);
  EXPECT_EQ(min(zero, one).derivative(), 3);
  EXPECT_EQ(max(zero, one).derivative(), 3);
  EXPECT_EQ(clamp(zero, 0.0, 1.0).derivative(), 3);
  EXPECT_EQ(kink_counters().kinks, before.kinks + 4);
  EXPECT_EQ(floor(zero).derivative(), 0);
  EXPECT_EQ(round(zero + 0.5).derivative(), 0);
  EXPECT_EQ(sign(zero).derivative(), 0);
  EXPECT_EQ(kink_counters().jumps, before.jumps + 3);
  abs(zero + 1), min(zero, one + 1), ceil(zero + 0.3), round(zero + 0.2);
  EXPECT_EQ(kink_counters().kinks, before.kinks + 4);
  EXPECT_EQ(kink_counters().jumps, before.jumps + 3);
}

TEST(NilpotentBranch, ComparisonsLookAtRealParts) {
  const First a = First::seed(1.0, {9.0}), b = First::seed(1.0, {-9.0});
  EXPECT_TRUE(a == b && a == 1 && 1.0 == a && !(a != b) && a <= b && a >= b && !(a < b) && !(a > b));
  EXPECT_TRUE(a < 2 && 0.5 < a && a != 3);
}

TEST(NilpotentBranch, ANanIsKeptByMinAndMax) {
  const First x = First::seed(1.0, {1.0});
  EXPECT_TRUE(isnan(min(x, nan)) && isnan(min(nan, x)) && isnan(max(x, nan)) && isnan(max(nan, x)));
}

TEST(NilpotentSingular, ADerivativeThatDoesNotExistIsNotFinite) {
  const auto f1 = [](auto f, double x) { return f(First::seed(x, {1.0})).derivative(); };
  const auto f2 = [](auto f, double x) { return f(Second::seed(x, {1.0, 1.0})).derivative(); };
  const auto printed = [](const auto& x) { return pow(log(1 - sqrt(x - 1)), 2); };
  const auto intended = [](const auto& x) { return pow(log(1 - sqrt((x - 1) * (x - 1))), 2); };
  const auto root_of_square = [](const auto& x) { return sqrt(x * x); };
  const auto fourth = [](const auto& x) { return pow(sqrt(x), 4); };
  const auto variant_a = [](const auto& x) {
    const auto c = cos(4 * (x - 1));
    return sqrt(1 - c * c);
  };
  EXPECT_FALSE(std::isfinite(f1(printed, 1)) || std::isfinite(f2(printed, 1)));
  EXPECT_FALSE(std::isfinite(f1(intended, 1)) || std::isfinite(f2(intended, 1)));
  EXPECT_FALSE(std::isfinite(f1(root_of_square, 0)) || std::isfinite(f2(root_of_square, 0)));
  EXPECT_FALSE(std::isfinite(f1(fourth, 0)) || std::isfinite(f2(fourth, 0)));
  EXPECT_FALSE(std::isfinite(f1(variant_a, 1)) || std::isfinite(f2(variant_a, 1)));
  EXPECT_TRUE(std::isfinite(f2(printed, 1.25)) && std::isfinite(f2(root_of_square, -1)));
  EXPECT_FALSE(std::isfinite(f1([](const auto& x) { return cbrt(x); }, 0)));
  EXPECT_FALSE(std::isfinite(f1([](const auto& x) { return asin(x); }, 1)));
  EXPECT_FALSE(std::isfinite(f1([](const auto& x) { return log(x); }, 0)));
  EXPECT_FALSE(std::isfinite(f1([](const auto& x) { return hypot(x, 0); }, 0)));
  EXPECT_FALSE(std::isfinite(f1([](const auto& x) { return atan2(x, 0.0); }, 0)));
  EXPECT_TRUE(std::isnan(f1([](const auto& x) { return pow(x, 0.3); }, -1)));
}

TEST(NilpotentSingular, IntegerPowersAndRemovableSingularitiesAreSmoothAtZero) {
  const Second x = Second::seed(0.0, {1, 1});
  EXPECT_EQ(pow(x, 2).derivative(), 2);
  EXPECT_EQ(pow(x, 2.0).derivative(), 2);
  EXPECT_EQ(pow(x, 1).coefficient(1), 1);
  EXPECT_EQ(pow(x, 0).value(), 1);
  EXPECT_EQ(sinc(x).value(), 1);
  EXPECT_EQ(sinc(x).coefficient(1), 0);
  EXPECT_DOUBLE_EQ(sinc(x).derivative(), -1.0 / 3);
  EXPECT_DOUBLE_EQ(sinhc(x).derivative(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(one_minus_cos_over_square(x).value(), 0.5);
  EXPECT_DOUBLE_EQ(one_minus_cos_over_square(x).derivative(), -1.0 / 12);
  EXPECT_DOUBLE_EQ(sinc(0.3), std::sin(0.3) / 0.3);
}

TEST(NilpotentSingular, FinitenessLooksAtAllCoefficients) {
  Second x = Second::seed(1.0, {1, 1});
  EXPECT_TRUE(isfinite(x) && !isnan(x));
  x.set_coefficient<3>(infinity);
  EXPECT_TRUE(!isfinite(x) && !isnan(x));
  x.set_coefficient<1>(nan);
  EXPECT_TRUE(!isfinite(x) && isnan(x));
}

TEST(NilpotentProduct, ChainWithZerosHasTheExactDerivatives) {
  // d/dt prod (f_k + t) = sum_k prod_(j != k) f_j
  for (const std::vector<double>& factors : {std::vector<double>{2, 3, 5, 7}, {2, 0, 5, 7}, {0, 3, 0, 7}, {0, 0, 0, 7}}) {
    Second running(1.0);
    for (double factor : factors) running *= Second::seed(factor, {1, 1});
    double first = 0, second = 0;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      double others = 1;
      for (std::size_t j = 0; j < factors.size(); ++j) others *= j == i ? 1 : factors[j];
      first += others;
      for (std::size_t k = 0; k < factors.size(); ++k) {
        double rest = k == i ? 0 : 1;
        for (std::size_t j = 0; j < factors.size(); ++j) rest *= j == i || j == k ? 1 : factors[j];
        second += rest;
      }
    }
    EXPECT_EQ(running.coefficient(1), first);
    EXPECT_EQ(running.coefficient(3), second);
  }
}

TEST(NilpotentLanes, FinitenessIsAnAnswerForEachPoint) {
  using L = Nilpotent<1, LaneBlock>;
  LaneBlock x(4.0);
  x.set(1, 0.0);
  const L root = sqrt(L::seed(x, {LaneBlock(1.0)}));
  EXPECT_TRUE(isfinite(root)[0] && !isfinite(root)[1]);
  using Many = Nilpotent<1, double, LaneBlock>;
  EXPECT_FALSE(isfinite(sqrt(Many::seed_last(0.0, LaneBlock(1.0)))));
  EXPECT_TRUE(isfinite(sqrt(Many::seed_last(4.0, LaneBlock(1.0)))));
}

}  // namespace
}  // namespace holo
