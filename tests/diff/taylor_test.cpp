// Laws of truncated power series, and their agreement with nilpotent numbers of equal directions.
#include "holo/diff/scalars/taylor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/nilpotent.h"

namespace holo {
namespace {

// What is known at compile time costs nothing: degrees are in the types.
constexpr auto variable = Taylor<3>::variable(2.0);
static_assert(std::is_same_v<decltype(variable * variable), Taylor<3, double, 2>>);
static_assert(std::is_same_v<decltype(variable * variable + 1 - 2 * variable), Taylor<3, double, 2>>);
static_assert(std::is_same_v<decltype(variable * (variable * variable)), Taylor<3>>);
static_assert(std::is_same_v<decltype(1 / variable), Taylor<3>>);
static_assert((variable * variable * variable).derivative(3) == 6 && pow(variable, 4).derivative(2) == 48);
static_assert((1 / variable).coefficient(3) == -0.0625);
static_assert(sizeof(Taylor<3>) == 4 * sizeof(double));

class TaylorSeries : public ::testing::Test {
 protected:
  double number() { return distribution_(engine_); }
  template <class T>
  T series() {
    T x(2 + number());
    for (int k = 1; k <= T::degree; ++k) x.set_coefficient(k, number());
    return x;
  }

 private:
  std::mt19937_64 engine_{11};
  std::uniform_real_distribution<double> distribution_{-1, 1};
};

template <int n>
void expect_close(const Taylor<n>& a, const Taylor<n>& b, double tolerance) {
  for (int k = 0; k <= n; ++k)
    EXPECT_NEAR(a.coefficient(k), b.coefficient(k), tolerance * (1 + std::abs(b.coefficient(k)))) << "coefficient " << k;
}

TEST_F(TaylorSeries, AreACommutativeField) {
  using T = Taylor<4>;
  for (int i = 0; i < 200; ++i) {
    const T a = series<T>(), b = series<T>(), c = series<T>();
    expect_close<4>(a * b, b * a, 1e-14);
    expect_close<4>((a * b) * c, a * (b * c), 1e-13);
    expect_close<4>(a * (b + c), a * b + a * c, 1e-13);
    expect_close<4>(a / b * b, a, 1e-13);
    expect_close<4>(1.0 / (1.0 / a), a, 1e-13);
    expect_close<4>(a - a, T(0.0), 0);
    EXPECT_NE((a * b).derivative(), 0);
  }
}

TEST_F(TaylorSeries, OfKnownDegreeEqualTheFullOnes) {
  using T = Taylor<4>;
  for (int i = 0; i < 100; ++i) {
    const auto p = series<Taylor<4, double, 1>>();
    const auto q = series<Taylor<4, double, 2>>();
    const auto r = series<Taylor<4, double, 3>>();
    expect_close<4>(p * q, T(p) * T(q), 1e-15);
    expect_close<4>(p - q, T(p) - T(q), 0);
    expect_close<4>(q - p, T(q) - T(p), 0);
    expect_close<4>(r / q, T(r) / T(q), 1e-14);
    expect_close<4>(p / r, T(p) / T(r), 1e-14);
    expect_close<4>(exp(q) + sin(p) * log(r), exp(T(q)) + sin(T(p)) * log(T(r)), 1e-12);
    expect_close<4>(max(p, q), max(T(p), T(q)), 0);
    expect_close<4>(pow(p, -3), pow(T(p), -3), 1e-13);
  }
}

// Both are the same algebra: D^k f[v, ..., v].
TEST_F(TaylorSeries, EqualNilpotentNumbersOfEqualDirections) {
  const auto f = [](const auto& x) {
    const auto y = exp(sin(x)) / (1 + x * x) + atan2(x, 0.5) * sinc(x);
    return y * hypot(y, x) - pow(x, 1.7) + cbrt(x) * erf(x);
  };
  for (int i = 0; i < 100; ++i) {
    const double x = 2 + number(), v = number();
    const Nilpotent<3> a = f(Nilpotent<3>::seed(x, {v, v, v}));
    const Taylor<3> b = f(Taylor<3>::seed(x, v));
    const Taylor<3> c = f(Taylor<3>::Variable::seed(x, v));
    for (int k = 0; k <= 3; ++k) {
      const double expected = a.coefficient((1 << k) - 1);
      EXPECT_NEAR(b.derivative(k), expected, 1e-13 * (1 + std::abs(expected)));
      EXPECT_NEAR(c.derivative(k), expected, 1e-13 * (1 + std::abs(expected)));
    }
  }
}

template <class T>
class LongAndShortSeries : public TaylorSeries {};
using Lengths = ::testing::Types<Taylor<1>, Taylor<2>, Taylor<3>, Taylor<4>, Taylor<9>>;
TYPED_TEST_SUITE(LongAndShortSeries, Lengths);

TYPED_TEST(LongAndShortSeries, InvertAndSatisfyIdentities) {
  using T = TypeParam;
  constexpr int n = T::order;
  for (int i = 0; i < 100; ++i) {
    const T x = this->template series<T>(), y = 0.3 * x;
    expect_close<n>(log(exp(x)), x, 1e-12);
    expect_close<n>(log1p(expm1(x)), x, 1e-12);
    expect_close<n>(cbrt(x * x * x), x, 1e-12);
    expect_close<n>(sqrt(x) * sqrt(x), x, 1e-12);
    expect_close<n>(sin(y) * sin(y) + cos(y) * cos(y), T(1.0), 1e-12);
    expect_close<n>(cosh(y) * cosh(y) - sinh(y) * sinh(y), T(1.0), 1e-12);
    expect_close<n>(tan(y) * cos(y), sin(y), 1e-11);
    expect_close<n>(tanh(y) * cosh(y), sinh(y), 1e-11);
    expect_close<n>(sin(asin(y - 0.5)), y - 0.5, 1e-11);
    expect_close<n>(cos(acos(y - 0.5)), y - 0.5, 1e-11);
    expect_close<n>(tan(atan(y)), y, 1e-11);
    expect_close<n>(atan2(sin(y), cos(y)), y, 1e-11);
    expect_close<n>(pow(pow(x, 2.5), 0.4), x, 1e-11);
    expect_close<n>(pow(x, y), exp(y * log(x)), 1e-11);
    expect_close<n>(sinc(x) * x, sin(x), 1e-11);
  }
}

TEST(TaylorOrder, TenEqualsKnownSeries) {
  const Taylor<10> x = Taylor<10>::variable(0.0);
  const Taylor<10> e = exp(x), g = 1 / (1 - x), l = log(1 + x), a = atan(x), r = erf(x);
  double factorial = 1;
  for (int k = 0; k <= 10; ++k) {
    if (k > 1) factorial *= k;
    EXPECT_DOUBLE_EQ(e.coefficient(k), 1 / factorial);
    EXPECT_DOUBLE_EQ(g.coefficient(k), 1);
    EXPECT_NEAR(l.coefficient(k), k == 0 ? 0 : (k % 2 == 1 ? 1.0 : -1.0) / k, 1e-15);
    EXPECT_NEAR(a.coefficient(k), k % 2 == 0 ? 0 : (k % 4 == 1 ? 1.0 : -1.0) / k, 1e-15);
  }
  EXPECT_NEAR(r.coefficient(5), 2 / std::sqrt(M_PI) / 10, 1e-15);
}

TEST(TaylorOrder, ThreeGivesThePublishedDerivatives) {  // [Luo2019] Fig 2 and 5: exp(x) / (x^4 + x^2 + 1) at 4
  const auto f = [](const auto& x) {
    const auto q = x * x;
    return exp(x) / (q * q + q + 1);
  };
  const Taylor<3> y = taylor<3>(f, 4.0);
  EXPECT_NEAR(y.derivative(1), 0.00659318319443838172661638222471, 2e-17);
  EXPECT_NEAR(y.derivative(2), 0.0451218459155398407541939223071, 1e-16);
  EXPECT_NEAR(y.derivative(3), -0.0152927985836301119121207500276, 2e-16);
}

TEST(TaylorLanes, EqualOnePointAtATime) {
  const auto f = [](const auto& x) { return exp(sin(x)) / (1 + x * x) + max(x, 0.5) * erf(x); };
  LaneBlock points(0.0);
  for (int i = 0; i < LaneBlock::width; ++i) points.set(i, 0.1 + 0.2 * i);
  const Taylor<3, LaneBlock> together = taylor<3>(f, points);
  for (int i = 0; i < LaneBlock::width; ++i) {
    const Taylor<3> alone = taylor<3>(f, points[i]);
    for (int k = 0; k <= 3; ++k)
      EXPECT_NEAR(together.derivative(k)[i], alone.derivative(k), 1e-14 * (1 + std::abs(alone.derivative(k))));
  }
}

TEST(TaylorChain, ComposedSequencesAreTheDerivativesOfTheComposition) {
  const double x = 0.7;
  const auto inner = [](const auto& t) { return sin(t) + t * t; };
  const Taylor<4> g = taylor<4>(inner, x);
  const Taylor<4> f = taylor<4>([](const auto& t) { return exp(t) / t; }, g.value());
  const Taylor<4> whole = taylor<4>(
      [&](const auto& t) {
        const auto u = inner(t);
        return exp(u) / u;
      },
      x);
  DerivativeSequence<4, double> outer{}, within{};
  for (int k = 0; k <= 4; ++k) outer.d[k] = f.derivative(k), within.d[k] = g.derivative(k);
  const DerivativeSequence<4, double> composed = compose(outer, within);
  for (int k = 0; k <= 4; ++k) EXPECT_NEAR(composed.d[k], whole.derivative(k), 1e-13 * (1 + std::abs(composed.d[k])));
}

TEST(TaylorSingularPoint, LeavesANonFiniteCoefficient) {
  const Taylor<2> x = Taylor<2>::variable(0.0);
  EXPECT_FALSE(isfinite(sqrt(x * x)));
  EXPECT_TRUE(isnan(sqrt(x * x)));
  EXPECT_FALSE(isfinite(hypot(x, x)));
  EXPECT_TRUE(std::isinf(sqrt(x).derivative(1)));
  EXPECT_TRUE(isfinite(pow(x, 3)));
  const KinkCounters before = kink_counters();
  EXPECT_EQ(abs(x).derivative(1), 1);
  floor(x);
  EXPECT_EQ(kink_counters().kinks, before.kinks + 1);
  EXPECT_EQ(kink_counters().jumps, before.jumps + 1);
}

}  // namespace
}  // namespace holo
