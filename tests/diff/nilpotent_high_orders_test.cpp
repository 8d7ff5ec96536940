// Numbers of many units, whose algebra runs in loops over subsets: against mixed central differences in 100-digit arithmetic,
// against power series at equal directions, and against the same algebra unrolled.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/scalars/taylor.h"

namespace holo {
namespace {

using Reference = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Products, quotients, and functions of every kind of derivative sequence.
template <class S>
S expression(const S& x, const S& y) {
  return exp(x * y) / (1.0 + x * x) + sin(x) * log(y + x) - pow(y, 1.3) * sqrt(x);
}

class Random {
 public:
  double between(double low, double high) { return low + (high - low) * distribution_(engine_); }
  template <class N>
  N nilpotent(double value) {
    double directions[N::order];
    for (double& d : directions) d = between(-1, 1);
    return N::seed(value, directions);
  }
  // All coefficients.
  template <int n>
  std::array<double, 1 << n> coefficients() {
    std::array<double, 1 << n> result;
    for (double& c : result) c = between(-1, 1);
    result[0] += 2;
    return result;
  }

 private:
  std::mt19937_64 engine_{5};
  std::uniform_real_distribution<double> distribution_{0, 1};
};

// The mixed derivative along the directions of `mask`, from the corners of a cube of half width h: exact to h^2 = 1e-18 beside
// derivatives two orders higher, and to the rounding 1e-100 / h^8 = 1e-28.
template <class N>
Reference mixed_derivative(const N& x, const N& y, int mask) {
  const Reference h("1e-9");
  Reference sum = 0;
  int members = std::popcount(unsigned(mask));
  for (int minus = mask;; minus = (minus - 1) & mask) {
    Reference X = x.value(), Y = y.value();
    for (int k = 0; k < N::order; ++k) {
      if (!(mask >> k & 1)) continue;
      const Reference step = (minus >> k & 1) ? Reference(-h) : h;
      X += step * x.coefficient(1 << k);
      Y += step * y.coefficient(1 << k);
    }
    sum += (std::popcount(unsigned(minus)) % 2 == 0 ? 1 : -1) * expression(X, Y);
    if (minus == 0) break;
  }
  for (; members > 0; --members) sum /= 2 * h;
  return sum;
}

template <class N>
class HighOrder : public ::testing::Test {};
using Orders = ::testing::Types<Nilpotent<6>, Nilpotent<8>>;
TYPED_TEST_SUITE(HighOrder, Orders);

// The error of a coefficient is of the size of the largest term in its sum over partitions: of derivatives of all orders in
// unit directions, which grow like order! / radius^order with the distance 0.8 from the singular point x = 0.
TYPED_TEST(HighOrder, IsExactAgainstHundredDigits) {
  using N = TypeParam;
  Random random;
  const N x = random.nilpotent<N>(0.8), y = random.nilpotent<N>(0.9), f = expression(x, y);
  for (int mask : {0, 1, 1 << (N::order - 1), 0b100101, 0b111000, N::coefficient_count / 2 - 1, N::coefficient_count - 2,
                   N::coefficient_count - 1}) {
    const int order = std::popcount(unsigned(mask));
    const double scale = std::tgamma(order + 1) * std::pow(1 / 0.8, order);
    EXPECT_NEAR(f.coefficient(mask), double(mixed_derivative(x, y, mask)), 64 * epsilon * scale) << "coefficient " << mask;
  }
}

TYPED_TEST(HighOrder, EqualsThePowerSeriesOfEqualDirections) {
  using N = TypeParam;
  using T = Taylor<N::order>;
  double a[N::order], b[N::order];
  std::fill(a, a + N::order, 0.3);
  std::fill(b, b + N::order, -0.2);
  const N f = expression(N::seed(0.8, a), N::seed(0.9, b));
  const T series = expression(T(T::seed(0.8, 0.3)), T(T::seed(0.9, -0.2)));
  for (int mask = 0; mask < N::coefficient_count; ++mask) {
    const double expected = series.derivative(std::popcount(unsigned(mask)));
    EXPECT_NEAR(f.coefficient(mask), expected, 1e-13 * (1 + std::abs(expected))) << "coefficient " << mask;
  }
}

TYPED_TEST(HighOrder, DividesBackWhatItMultiplied) {
  using N = TypeParam;
  Random random;
  const N x = exp(random.nilpotent<N>(0.5)), y = exp(random.nilpotent<N>(0.3));
  const N again = x * y / y;
  EXPECT_EQ((x / y).value(), x.value() / y.value());
  for (int mask = 0; mask < N::coefficient_count; ++mask)
    EXPECT_NEAR(again.coefficient(mask), x.coefficient(mask), 1e-12 * (1 + std::abs(x.coefficient(mask))));
}

// One unit above the loops is one recursion of the rule for the highest unit.
TEST(HighOrderLoops, EqualTheRecursionOverTheHighestUnit) {
  constexpr int n = detail::looped_units, half = 1 << (n - 1);
  Random random;
  const auto a = random.coefficients<n>(), b = random.coefficients<n>();
  double product[2 * half], expected[2 * half];
  detail::multiply<n>(a.data(), b.data(), product);
  detail::multiply<n - 1>(a.data(), b.data(), expected);
  detail::multiply<n - 1>(a.data(), b.data() + half, expected + half);
  detail::multiply_add<n - 1>(a.data() + half, b.data(), expected + half);
  for (int s = 0; s < 2 * half; ++s) EXPECT_NEAR(product[s], expected[s], 1e-13);
}

TEST(HighOrderLanes, EachLaneIsTheScalarNumber) {
  using L = Nilpotent<6, LaneBlock>;
  using D = Nilpotent<6, double, LaneBlock>;
  Random random;
  const auto x = random.nilpotent<Nilpotent<6>>(0.8), y = random.nilpotent<Nilpotent<6>>(0.9);
  const auto widen = [](const Nilpotent<6>& number, auto wide) {
    using Wide = decltype(wide);
    [&]<int... k>(std::integer_sequence<int, k...>) {
      ((wide.template set_coefficient<(1 << k)>(
           std::remove_cvref_t<decltype(wide.template coefficient<(1 << k)>())>(number.coefficient(1 << k)))),
       ...);
    }
    (std::make_integer_sequence<int, Wide::order>{});
    return wide.with_value(typename Wide::Real(number.value()));
  };
  const double expected = expression(x, y).derivative();
  const LaneBlock points = expression(widen(x, L()), widen(y, L())).derivative();
  const LaneBlock directions = expression(widen(x, D()), widen(y, D())).derivative();
  for (int lane = 0; lane < LaneBlock::width; ++lane) {
    EXPECT_NEAR(points[lane], expected, 1e-12 * std::abs(expected));
    EXPECT_NEAR(directions[lane], expected, 1e-12 * std::abs(expected));
  }
}

// Outside its domain the real part and all derivatives say so.
TEST(HighOrderBadInput, ADerivativeThatDoesNotExistIsNotFinite) {
  double directions[6] = {1, 1, 1, 1, 1, 1};
  const auto root = sqrt(Nilpotent<6>::seed(0.0, directions));
  EXPECT_EQ(root.value(), 0);
  EXPECT_FALSE(isfinite(root));
  EXPECT_FALSE(std::isfinite((root * root).derivative()));
  EXPECT_FALSE(isfinite(Nilpotent<6>(1.0) / Nilpotent<6>::seed(0.0, directions)));
}

// What can be known at compile time is.
static_assert(pow(Nilpotent<6>::seed(1.0, {1, 1, 1, 1, 1, 1}), 6).derivative() == 720);

}  // namespace
}  // namespace holo
