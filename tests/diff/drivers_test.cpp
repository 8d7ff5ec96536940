#include "holo/diff/drivers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "holo/core/error.h"
#include "refusal_message.h"

namespace holo {
namespace {

using Kind = DerivativeStatus::Kind;

constexpr auto rosenbrock = [](const auto& x) {
  const auto a = 1.0 - x[0], b = x[1] - x[0] * x[0];
  return a * a + 100.0 * b * b;
};

// f(x) = exp(s/n) + sum_i i x_i^2 x_(i+1), s = sum x: a full Hessian of any size, in closed form.
constexpr auto chain = [](const auto& x) {
  using S = std::remove_cvref_t<decltype(x[0])>;
  const std::size_t n = x.size();
  S sum = 0.0, f = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += x[i];
    if (i + 1 < n) f += double(i + 1) * x[i] * x[i] * x[i + 1];
  }
  return f + exp(sum / double(n));
};

struct ChainDerivatives {
  double value = 0;
  std::vector<double> gradient, hessian;
};
ChainDerivatives chain_derivatives(const std::vector<double>& x) {
  const std::size_t n = x.size();
  double sum = 0;
  for (double entry : x) sum += entry;
  const double e = std::exp(sum / double(n)), m = double(n);
  ChainDerivatives d{e, std::vector<double>(n, e / m), std::vector<double>(n * n, e / (m * m))};
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double k = double(i + 1);
    d.value += k * x[i] * x[i] * x[i + 1];
    d.gradient[i] += 2 * k * x[i] * x[i + 1];
    d.gradient[i + 1] += k * x[i] * x[i];
    d.hessian[i * n + i] += 2 * k * x[i + 1];
    d.hessian[i * n + i + 1] += 2 * k * x[i];
    d.hessian[(i + 1) * n + i] += 2 * k * x[i];
  }
  return d;
}

std::vector<double> point(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(1.0 + 2.3 * double(i));
  return x;
}

class DriverDimension : public ::testing::TestWithParam<int> {};

TEST_P(DriverDimension, GradientAndHessianEqualTheClosedForm) {
  const std::size_t n = std::size_t(GetParam());
  const std::vector<double> x = point(n);
  const ChainDerivatives expected = chain_derivatives(x);
  const auto g = gradient(chain, x);
  const auto h = hessian(chain, std::span<const double>(x));
  ASSERT_TRUE(g.status.ok() && h.status.ok());
  EXPECT_NEAR(g.value, expected.value, 1e-13 * double(n));
  EXPECT_EQ(g.value, h.value);
  ASSERT_EQ(h.hessian.size(), n * n);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(g.gradient[i], expected.gradient[i], 1e-13 * double(n)) << i;
    EXPECT_NEAR(h.gradient[i], expected.gradient[i], 1e-13 * double(n)) << i;
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(h.hessian[i * n + j], expected.hessian[i * n + j], 1e-13 * double(n)) << i << ", " << j;
      EXPECT_EQ(h.hessian[i * n + j], h.hessian[j * n + i]);
    }
  }
}

TEST_P(DriverDimension, DirectionalDerivativesContractTheHessian) {
  const std::size_t n = std::size_t(GetParam());
  const std::vector<double> x = point(n);
  std::vector<double> v(n), w(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = std::cos(double(i)), w[i] = 0.5 - 0.1 * double(i);
  const ChainDerivatives expected = chain_derivatives(x);
  double gv = 0, gw = 0, vhw = 0;
  for (std::size_t i = 0; i < n; ++i) {
    gv += expected.gradient[i] * v[i], gw += expected.gradient[i] * w[i];
    for (std::size_t j = 0; j < n; ++j) vhw += v[i] * expected.hessian[i * n + j] * w[j];
  }
  const auto one = directional(chain, x, v);
  const auto two = directional(chain, x, v, w);
  ASSERT_TRUE(one.status.ok() && two.status.ok());
  const double tolerance = 1e-12 * double(n * n);
  EXPECT_NEAR(one.derivative, gv, tolerance);
  EXPECT_NEAR(two.coefficients[1], gv, tolerance);
  EXPECT_NEAR(two.coefficients[2], gw, tolerance);
  EXPECT_NEAR(two.derivative, vhw, tolerance);
  EXPECT_EQ(two.coefficients[3], two.derivative);
  EXPECT_EQ(two.coefficients[0], two.value);
}

// Around the width of a register, where groups of directions end.
INSTANTIATE_TEST_SUITE_P(Drivers, DriverDimension, ::testing::Values(1, 2, 3, 4, 5, 7, 8, 9, 12, 17, 33));

TEST(Drivers, ArraysAndVectorsGiveTheSame) {
  const std::array<double, 2> a{1.5, 0.7};
  const std::vector<double> v(a.begin(), a.end());
  const auto ha = hessian(rosenbrock, a);
  const auto hv = hessian(rosenbrock, v);
  static_assert(std::same_as<std::remove_cvref_t<decltype(ha.hessian)>, std::array<double, 4>>);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(ha.hessian[k], hv.hessian[k]);
  EXPECT_DOUBLE_EQ(ha.hessian[0], 1200 * a[0] * a[0] - 400 * a[1] + 2);
  EXPECT_DOUBLE_EQ(ha.hessian[1], -400 * a[0]);
  EXPECT_DOUBLE_EQ(ha.gradient[1], 200 * (a[1] - a[0] * a[0]));
  EXPECT_DOUBLE_EQ(directional(rosenbrock, a, std::array{0.0, 1.0}, std::vector{0.0, 1.0}).derivative, 200);
}

// Arrays of a few registers' sizes are evaluated once for all variables.
template <std::size_t n>
void expect_equal_gradients() {
  const auto f = [](const auto& x) {
    auto sum = 0.5 * x[0];
    for (std::size_t i = 0; i < x.size(); ++i) sum += exp(0.1 * double(i) * x[i]) * cbrt(x[(i + 1) % x.size()]) / (2.0 - x[i]);
    return isfinite(sum) ? sum : -sum;
  };
  std::array<double, n> a;
  for (std::size_t i = 0; i < n; ++i) a[i] = 0.3 + 0.02 * double(i);
  const auto of_array = gradient(f, a);
  const auto of_vector = gradient(f, std::vector<double>(a.begin(), a.end()));
  EXPECT_DOUBLE_EQ(of_vector.value, of_array.value);
  for (std::size_t i = 0; i < n; ++i) EXPECT_DOUBLE_EQ(of_vector.gradient[i], of_array.gradient[i]) << n << ", entry " << i;
}
TEST(Drivers, GradientsOfArraysOfAllSizesAreThoseOfVectors) {
  expect_equal_gradients<1>();
  expect_equal_gradients<8>();
  expect_equal_gradients<9>();
  expect_equal_gradients<12>();
  expect_equal_gradients<16>();
  expect_equal_gradients<17>();
  expect_equal_gradients<24>();
  expect_equal_gradients<25>();
}

TEST(Drivers, TheFunctionMayBranchAndMayBeConstant) {
  const auto f = [](const auto& x) {
    if (x[0] < 0.0) return -x[0] * x[1];
    return x[0] * x[1];
  };
  EXPECT_EQ(gradient(f, std::array{-2.0, 3.0}).gradient[0], -3);
  const auto constant = [](const auto&) { return 4.0; };
  const auto h = hessian(constant, std::array{1.0, 2.0});
  EXPECT_EQ(h.value, 4);
  EXPECT_EQ(h.gradient[1], 0);
  EXPECT_EQ(h.hessian[3], 0);
  EXPECT_TRUE(h.status.ok());
}

TEST(Drivers, StatusTellsWhatIsNotFinite) {
  const auto root = [](const auto& x) { return x[0] + sqrt(x[1]) + x[2]; };
  const auto g = gradient(root, std::array{1.0, 0.0, 1.0});
  EXPECT_EQ(g.status.kind, Kind::not_finite);
  EXPECT_EQ(g.status.index, 1);
  EXPECT_NE(to_string(g.status, 3).find("x[1]"), std::string::npos);

  const auto cubic_root = [](const auto& x) { return x[0] * x[0] + pow(x[1] * x[1], 1) * rational_pow<4, 3>(x[2]); };
  const auto h = hessian(cubic_root, std::array{1.0, 1.0, 0.0});
  EXPECT_EQ(h.status.kind, Kind::not_finite);
  EXPECT_FALSE(h.status.usable());

  const auto nan_value = [](const auto& x) { return log(x[0]); };
  const auto n = gradient(nan_value, std::array{-1.0});
  EXPECT_EQ(n.status.kind, Kind::not_finite);
  EXPECT_EQ(n.status.index, DerivativeStatus::value_index);
  EXPECT_EQ(to_string(n.status, 1), "the value is not a number");
}

TEST(Drivers, StatusTellsAnEntryOfTheHessianByRowAndColumn) {
  DerivativeStatus status{Kind::not_finite, 3 + 3 * 1 + 2};
  EXPECT_NE(to_string(status, 3).find("x[1] and x[2]"), std::string::npos);
}

TEST(Drivers, StatusTellsBarriersAndKinks) {
  const auto barrier = [](const auto& x) { return -log(x[0]); };
  EXPECT_EQ(gradient(barrier, std::array{0.0}).status.kind, Kind::infeasible);
  const auto kink = [](const auto& x) { return abs(x[0]) + x[1]; };
  const auto at = gradient(kink, std::vector{0.0, 1.0});
  EXPECT_EQ(at.status.kind, Kind::nondifferentiable);
  EXPECT_TRUE(at.status.usable() && !at.status.ok());
  EXPECT_EQ(at.gradient[0], 0);
  EXPECT_TRUE(gradient(kink, std::vector{0.5, 1.0}).status.ok());
  EXPECT_EQ(hessian(kink, std::vector{0.0, 1.0}).status.kind, Kind::nondifferentiable);
  EXPECT_EQ(directional(kink, std::vector{0.0, 1.0}, std::vector{1.0, 0.0}).status.kind, Kind::nondifferentiable);
  const DerivativeOptions report{.singular = SingularRule::report};
  EXPECT_EQ(gradient(kink, std::vector{0.0, 1.0}, report).status.kind, Kind::kink);
  EXPECT_EQ(gradient(kink, std::vector{0.0, 1.0}, report).gradient[0], 1);
}

using test::message;

TEST(DriversBadInput, AnEmptyPointIsRefused) {
  const std::vector<double> empty;
  const std::string expected = "the point is empty: a derivative needs a point x of at least one number";
  const auto f = [](const auto&) { return 1.0; };
  EXPECT_EQ(message([&] { gradient(f, empty); }), expected);
  EXPECT_EQ(message([&] { hessian(f, empty); }), expected);
  EXPECT_EQ(message([&] { directional(f, empty, empty); }), expected);
}

TEST(DriversBadInput, APointThatIsNotFiniteIsNamed) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message([&] {
              gradient(rosenbrock, std::array{1.0, infinity});
            }),
            "x[1] is inf: derivatives are taken at finite points only");
  EXPECT_EQ(message([&] {
              hessian(rosenbrock, std::vector{nan, 1.0});
            }),
            "x[0] is nan: derivatives are taken at finite points only");
}

TEST(DriversBadInput, ADirectionMustFitAndBeFinite) {
  const std::vector<double> x{1, 2}, longer{1, 2, 3}, bad{0, -std::numeric_limits<double>::infinity()};
  EXPECT_EQ(message([&] { directional(rosenbrock, x, longer); }),
            "direction v1 has 3 entries, the point x has 2: a direction has one entry for each of the point's");
  EXPECT_EQ(message([&] { directional(rosenbrock, x, x, longer); }),
            "direction v2 has 3 entries, the point x has 2: a direction has one entry for each of the point's");
  EXPECT_EQ(message([&] { directional(rosenbrock, x, bad); }), "v1[1] is -inf: a direction has finite entries only");
}

}  // namespace
}  // namespace holo
