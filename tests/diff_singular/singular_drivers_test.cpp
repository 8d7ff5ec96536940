#include <gtest/gtest.h>

#include <cmath>

#include "diff_singular/singular_functions.h"
#include "holo/core/error.h"
#include "holo/diff/drivers.h"
#include "holo/diff/matrix.h"
#include "refusal_message.h"

namespace holo {
namespace {

using Kind = DerivativeStatus::Kind;

// [Luo2019] Eq 39, variant B: mu (J^(-2/3) I1 - 3) + lambda (J - 1)^2 + sqrt((cos^2(4(J-1)) - 1)^2).
struct SingularEnergy {
  double mu = 1, lambda = 1.7;
  template <class X>
  auto operator()(const X& x) const {
    using S = std::remove_cvref_t<decltype(x[0])>;
    const Matrix3<S> F{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]};
    const S J = determinant(F);
    return mu * (pow(J, -2.0 / 3) * squared_norm(F) - 3.0) + lambda * square(J - 1.0) + singular_table::VariantB::evaluate(J);
  }
};
constexpr std::array<double, 9> at_rest{1, 0, 0, 0, 1, 0, 0, 0, 1};

TEST(SingularDrivers, HessianOfTheSingularEnergyAtRestIsIsotropicElasticity) {
  const auto h = hessian(SingularEnergy(), at_rest);
  ASSERT_EQ(h.status.kind, Kind::singular_resolved) << to_string(h.status, 9);
  EXPECT_TRUE(h.status.usable());
  EXPECT_EQ(h.value, 0);
  // mu_eff = 2 mu, and the volumetric curvature 2 lambda + 32.
  const double mu = 2, bulk = 2 * 1.7 + 32;
  for (int i = 0; i < 9; ++i) {
    EXPECT_NEAR(h.gradient[i], 0, 1e-14);
    for (int j = 0; j < 9; ++j) {
      const int a = i / 3, b = i % 3, c = j / 3, d = j % 3;
      const double C = (bulk - 2 * mu / 3) * ((a == b) * (c == d)) + mu * ((a == c) * (b == d) + (a == d) * (b == c));
      EXPECT_NEAR(h.hessian[9 * i + j], C, 1e-12) << i << ", " << j;
    }
  }
  EXPECT_NEAR(h.hessian[0], 38.0667, 5e-5);
  EXPECT_NEAR(h.hessian[4], 34.0667, 5e-5);
  EXPECT_NEAR(h.hessian[9 + 1], 2, 1e-12);
}

TEST(SingularDrivers, AwayFromTheSingularPointNothingIsEvaluatedAgain) {
  std::array<double, 9> F = at_rest;
  F[0] = 1.1, F[1] = 0.05;
  const auto h = hessian(SingularEnergy(), F);
  EXPECT_TRUE(h.status.ok());
  EXPECT_EQ(h.singular, nullptr);
}

// At a regular point the series give what nilpotent numbers give, from both sides.
TEST(SingularDrivers, SeriesEqualNilpotentNumbersAtRegularPoints) {
  const auto f = [](const auto& x) {
    return exp(x[0]) * sin(x[1] * x[2]) + sqrt(x[0] * x[0] + x[1]) * log(2.0 + x[2]) + pow(x[1], 1.3) / (1.0 + x[0] * x[2]);
  };
  const std::vector<double> x{0.3, 0.8, -0.4}, u{1, -2, 0.5}, v{0.3, 0.2, 1}, w{-1, 0.7, 0.4};
  using F = decltype(f);
  const auto sides = [&] { return OneSidedDerivatives(detail::series_function<const F, std::vector<double>>(f), x); };
  const auto h = hessian(f, x);
  ASSERT_TRUE(h.status.ok());
  const auto expect = [](const SingularPoint& point, std::span<const double> expected, std::size_t first) {
    ASSERT_EQ(point.left.size(), first + expected.size());
    EXPECT_TRUE(point.consistent);
    for (std::size_t k = 0; k < expected.size(); ++k)
      for (const auto* side : {&point.left, &point.right}) {
        ASSERT_TRUE((*side)[first + k].finite());
        EXPECT_NEAR((*side)[first + k].value, expected[k], 1e-12) << k;
      }
  };
  expect(sides().gradient(), h.gradient, 0);
  expect(sides().hessian(), h.hessian, 3);
  const auto product = hessian_vector_product(f, x, v);
  expect(sides().hessian_vector_product(v), product.product, 3);
  const auto third = third_order_contraction(f, x, u, v);
  expect(sides().third_order_contraction(u, v), third.contraction, 3);
  const auto mixed = directional(f, x, u, v, w);
  const std::array<std::span<const double>, 3> directions{u, v, w};
  expect(sides().directional(directions), std::span<const double>(mixed.coefficients).subspan(1), 0);
  double contracted = 0;
  for (int i = 0; i < 3; ++i) contracted += third.contraction[i] * w[i];
  EXPECT_NEAR(contracted, mixed.derivative, 1e-13);
}

TEST(SingularDrivers, ProductsAndContractionsEqualTheHessianAndItsSlope) {
  for (const std::size_t n : {1, 3, 8, 9, 17}) {
    const auto f = [](const auto& x) {
      auto sum = x[0] * 0.0, product = 1.0 + sum;
      for (std::size_t i = 0; i < x.size(); ++i) sum += double(i + 1) * x[i], product *= 1.0 + 0.1 * x[i] * x[i];
      return sin(0.1 * sum) * product;
    };
    std::vector<double> x(n), u(n), v(n);
    for (std::size_t i = 0; i < n; ++i)
      x[i] = std::sin(double(i)), u[i] = std::cos(1.0 + double(i)), v[i] = 0.5 - 0.03 * double(i);
    const auto h = hessian(f, x);
    const auto product = hessian_vector_product(f, x, v);
    const auto third = third_order_contraction(f, x, u, v);
    ASSERT_TRUE(product.status.ok() && third.status.ok());
    EXPECT_EQ(third.value, h.value);
    for (std::size_t i = 0; i < n; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < n; ++j) expected += h.hessian[n * i + j] * v[j];
      std::vector<double> unit(n, 0.0);
      unit[i] = 1;
      EXPECT_NEAR(product.product[i], expected, 1e-13 * double(n));
      EXPECT_NEAR(product.gradient[i], h.gradient[i], 1e-14 * double(n));
      EXPECT_NEAR(third.gradient[i], h.gradient[i], 1e-14 * double(n));
      EXPECT_NEAR(third.contraction[i], directional(f, x, u, v, unit).derivative, 1e-13 * double(n));
    }
  }
}

constexpr auto cone = [](const auto& x) { return sqrt(x[0] * x[0] + x[1] * x[1]); };
constexpr auto root_of_square = [](const auto& x) { return sqrt(x[0] * x[0]) + x[1]; };

TEST(SingularDrivers, WhatIsReturnedWhereTheSidesDifferIsAChoice) {
  using Choice = NondifferentiableChoice;
  const std::array<double, 2> x{0.0, 1.0};
  const auto slope = [&](Choice choice) {
    const auto g = gradient(root_of_square, x, {.nondifferentiable = choice});
    EXPECT_EQ(g.status.kind, Kind::nondifferentiable);
    EXPECT_EQ(g.status.index, 0);
    EXPECT_EQ(g.gradient[1], 1);
    return g.gradient[0];
  };
  EXPECT_EQ(slope(Choice::mean), 0);
  EXPECT_EQ(slope(Choice::left), -1);
  EXPECT_EQ(slope(Choice::right), 1);
  try {
    gradient(root_of_square, x, {.nondifferentiable = Choice::throw_error});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    EXPECT_EQ(std::string(error.what()),
              "the derivative with respect to x[0] differs from side to side, or with the direction: the function is not "
              "differentiable here; take one side or the mean (NondifferentiableChoice), or move the point");
  }
}

// Derivatives from both sides of each axis agree, and yet the function has no derivative.
TEST(SingularDrivers, DerivativesThatDoNotAddUpAreNoDerivative) {
  const auto homogeneous = [](const auto& x) { return x[0] * x[1] * x[1] / (x[0] * x[0] + x[1] * x[1]); };
  const auto g = gradient(homogeneous, std::array{0.0, 0.0});
  EXPECT_EQ(g.value, 0);
  EXPECT_EQ(g.gradient[0], 0);
  EXPECT_EQ(g.status.kind, Kind::nondifferentiable) << to_string(g.status, 2);
  const auto second = [](const auto& x) { return x[0] * x[1] * (x[0] * x[0] - x[1] * x[1]) / (x[0] * x[0] + x[1] * x[1]); };
  EXPECT_EQ(gradient(second, std::array{0.0, 0.0}).status.kind, Kind::singular_resolved);
  EXPECT_EQ(hessian(second, std::array{0.0, 0.0}).status.kind, Kind::nondifferentiable);
  EXPECT_EQ(gradient(cone, std::array{0.0, 0.0}).status.kind, Kind::nondifferentiable);
}

TEST(SingularDrivers, ARemovableSingularityHasItsLimitAndDerivatives) {
  const auto f = [](const auto& x) { return sin(x[0] * x[1]) / x[0]; };  // x1 - x0^2 x1^3/6 ...
  const std::array<double, 2> x{0.0, 3.0};
  EXPECT_TRUE(std::isnan(hessian(f, x, {.singular = SingularRule::report}).value));
  const auto h = hessian(f, x);
  ASSERT_EQ(h.status.kind, Kind::singular_resolved) << to_string(h.status, 2);
  EXPECT_DOUBLE_EQ(h.value, 3);
  EXPECT_NEAR(h.gradient[0], 0, 1e-15);
  EXPECT_DOUBLE_EQ(h.gradient[1], 1);
  EXPECT_NEAR(h.hessian[0], -9, 1e-13);
  EXPECT_NEAR(h.hessian[1], 0, 1e-13);
}

TEST(SingularDrivers, TheBoundaryOfTheDomainGivesTheDerivativesInside) {
  const auto f = [](const auto& x) { return x[0] * sqrt(x[0]) + x[1] * x[1] + x[0] * x[1]; };
  const auto g = gradient(f, std::array{0.0, 2.0});
  EXPECT_EQ(g.status.kind, Kind::one_sided) << to_string(g.status, 2);
  EXPECT_EQ(g.status.index, 0);
  EXPECT_TRUE(g.status.usable());
  EXPECT_EQ(g.gradient[0], 2);
  EXPECT_EQ(g.gradient[1], 4);
  const auto corner = [](const auto& x) { return pow(sqrt(x[0]), 4) + 3.0 * pow(sqrt(x[0]), 2) * pow(sqrt(x[1]), 2); };
  const auto h = hessian(corner, std::array{0.0, 0.0});
  EXPECT_EQ(h.status.kind, Kind::one_sided) << to_string(h.status, 2);
  EXPECT_NEAR(h.hessian[0], 2, 1e-14);
  EXPECT_NEAR(h.hessian[1], 3, 1e-14);
}

TEST(SingularDrivers, AnInfiniteDerivativeHasASignAndAnExponent) {
  const auto f = [](const auto& x) { return x[1] - 2.0 * cbrt(x[0]); };
  const auto g = gradient(f, std::array{0.0, 1.0});
  EXPECT_EQ(g.status.kind, Kind::not_finite);
  EXPECT_FALSE(g.status.usable());
  EXPECT_EQ(g.status.index, 0);
  EXPECT_EQ(g.gradient[0], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(g.gradient[1], 1);
  ASSERT_NE(g.singular, nullptr);
  EXPECT_DOUBLE_EQ(g.singular->left[0].exponent, 1.0 / 3);
  EXPECT_EQ(g.singular->left[0].value, g.singular->right[0].value);
}

TEST(SingularDrivers, WhatHasNoPowerSeriesIsSaidAndNeverUsable) {
  const auto f = [](const auto& x) { return x[0] * log(x[0]); };
  const auto g = gradient(f, std::array{0.0});
  EXPECT_EQ(g.status.kind, Kind::unrepresentable) << to_string(g.status, 1);
  EXPECT_FALSE(g.status.usable());
  EXPECT_TRUE(std::isnan(g.gradient[0]));
  EXPECT_EQ(to_string(g.status, 1), "the value is not finite, and the function has no series in powers of the distance here");
}

TEST(SingularDrivers, AJumpIsNotAValue) {
  const auto f = [](const auto& x) { return x[0] / sqrt(x[0] * x[0]) + x[1]; };
  const auto g = gradient(f, std::array{0.0, 0.0});
  EXPECT_EQ(g.status.kind, Kind::nondifferentiable);
  EXPECT_EQ(g.status.index, DerivativeStatus::value_index);
  EXPECT_EQ(g.value, 0);  // the mean
  EXPECT_NEAR(g.gradient[1], 1, 1e-14);
}

TEST(SingularDrivers, AFunctionThatTakesNoSeriesKeepsItsStatusAndSaysSo) {
  const auto own = [](const auto& x) {
    using S = std::remove_cvref_t<decltype(x[0])>;
    static_assert(NilpotentNumber<S>, "other scalars are not for this function");
    return sqrt(x[0] * x[0]);
  };
  const auto g = gradient(without_one_sided(own), std::array{0.0});
  EXPECT_EQ(g.status.kind, Kind::not_finite);
  EXPECT_TRUE(g.status.without_one_sided);
  EXPECT_NE(to_string(g.status, 1).find("; it was not evaluated in one-sided series"), std::string::npos);
  EXPECT_EQ(gradient(without_one_sided(own), std::array{2.0}).gradient[0], 1);
}

TEST(SingularDrivers, ThirdDerivativesWhereTheyExistOnlyFromEachSide) {
  const auto f = [](const auto& x) { return pow(sqrt(x[0] * x[0]), 3) + x[0] * x[1] * x[1]; };  // |x0|^3 + x0 x1^2
  const std::vector<double> x{0, 1}, e0{1, 0}, e1{0, 1};
  const auto d = directional(f, x, e0, e0, e0);
  EXPECT_EQ(d.status.kind, Kind::nondifferentiable);
  EXPECT_DOUBLE_EQ(d.singular->left.back().value, -6);
  EXPECT_DOUBLE_EQ(d.singular->right.back().value, 6);
  EXPECT_NEAR(d.derivative, 0, 1e-14);
  const auto t = third_order_contraction(f, x, e1, e1);
  EXPECT_DOUBLE_EQ(t.contraction[0], 2);
  EXPECT_NEAR(t.contraction[1], 0, 1e-14);
  const auto p = hessian_vector_product(f, x, e1);
  EXPECT_EQ(p.status.kind, Kind::singular_resolved) << to_string(p.status, 2);
  EXPECT_DOUBLE_EQ(p.product[0], 2);
}

using test::message;

TEST(SingularDriversBadInput, PointsAndDirectionsOfTheNewDriversAreChecked) {
  const std::vector<double> empty, x{0, 1}, longer{1, 2, 3}, bad{0, std::numeric_limits<double>::infinity()};
  const std::string no_point = "the point is empty: a derivative needs a point x of at least one number";
  EXPECT_EQ(message([&] { hessian_vector_product(cone, empty, empty); }), no_point);
  EXPECT_EQ(message([&] { third_order_contraction(cone, empty, empty, empty); }), no_point);
  EXPECT_EQ(message([&] { hessian_vector_product(cone, x, longer); }),
            "direction v1 has 3 entries, the point x has 2: a direction has one entry for each of the point's");
  EXPECT_EQ(message([&] { third_order_contraction(cone, x, x, longer); }),
            "direction v2 has 3 entries, the point x has 2: a direction has one entry for each of the point's");
  EXPECT_EQ(message([&] { directional(cone, x, x, x, longer); }),
            "direction v3 has 3 entries, the point x has 2: a direction has one entry for each of the point's");
  EXPECT_EQ(message([&] { third_order_contraction(cone, x, bad, x); }), "v1[1] is inf: a direction has finite entries only");
  EXPECT_EQ(message([&] { hessian_vector_product(cone, bad, x); }), "x[1] is inf: derivatives are taken at finite points only");
}

}  // namespace
}  // namespace holo
