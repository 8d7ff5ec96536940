#include "holo/diff/tape/tape.h"

#include <gtest/gtest.h>

#include "allocation_counter.h"
#include "diff_tape/functions.h"
#include "holo/core/error.h"
#include "holo/diff/tape/drivers.h"

namespace holo {
namespace {

using test::difference;
using test::everything;
using test::largest;
using test::point;

TEST(Tape, FigureFour) {
  Tape<Nilpotent<1>> tape;
  std::vector<Variable<Nilpotent<1>>> x{tape.variable(Nilpotent<1>::seed(1.0, {1.0})), tape.variable(2.0), tape.variable(3.0)};
  auto f = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
  EXPECT_EQ(f.value().value(), 14.0);
  EXPECT_EQ(f.value().derivative(), 2.0);
  tape.reverse(f);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(tape.adjoint(x[i]).value(), 2.0 * (i + 1));
    EXPECT_EQ(tape.adjoint(x[i]).derivative(), i == 0 ? 2.0 : 0.0);
  }
}

TEST(Tape, AgreesWithForwardDerivatives) {
  const auto forward = hessian(everything, point());
  ASSERT_TRUE(forward.status.ok());
  const auto g = taped_gradient(everything, point());
  const auto h = taped_hessian(everything, point());
  EXPECT_TRUE(h.status.ok());
  EXPECT_NEAR(h.value, forward.value, 1e-14 * std::abs(forward.value));
  EXPECT_LE(difference(g.gradient, forward.gradient), 1e-14 * largest(forward.gradient));
  EXPECT_LE(difference(h.gradient, forward.gradient), 1e-14 * largest(forward.gradient));
  EXPECT_LE(difference(h.hessian, forward.hessian), 2e-14 * largest(forward.hessian));
}

TEST(Tape, HessianIsSymmetric) {
  const auto h = taped_hessian(everything, point());
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) EXPECT_NEAR(h.hessian[4 * i + j], h.hessian[4 * j + i], 1e-13 * largest(h.hessian));
}

TEST(Tape, HessianVectorProductIsLinearAndColumnsOfTheHessian) {
  const auto h = taped_hessian(everything, point());
  const std::vector<double> u{0.3, -1.0, 2.0, 0.5}, v{1.1, 0.2, -0.4, 0.9};
  std::vector<double> w(4), expected(4);
  for (int i = 0; i < 4; ++i) w[i] = 2 * u[i] - 3 * v[i];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) expected[i] += h.hessian[4 * i + j] * w[j];
  const auto pu = taped_hessian_product(everything, point(), u).product,
             pv = taped_hessian_product(everything, point(), v).product,
             pw = taped_hessian_product(everything, point(), w).product;
  EXPECT_LE(difference(pw, expected), 1e-13 * largest(expected));
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(pw[i], 2 * pu[i] - 3 * pv[i], 1e-13 * largest(expected));
}

// x.grad f = p f, H x = (p - 1) grad f, and once more for the third derivatives: T[x] = (p - 2) H.
TEST(Tape, HomogeneousFunctionsObeyEuler) {
  const auto f = [](const auto& x) { return pow(x[0] * x[1] + x[2] * x[2], 1.5) + x[0] * x[0] * x[0] / (1.0 + x[1] / x[0]); };
  const std::vector<double> x{1.2, 0.7, -0.5};
  const auto p = taped_hessian_product(f, x, x);
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += x[i] * p.gradient[i];
    EXPECT_NEAR(p.product[i], 2 * p.gradient[i], 1e-13 * largest(p.gradient));
  }
  EXPECT_NEAR(sum, 3 * p.value, 1e-13 * std::abs(p.value));
  Tape<Nilpotent<2>> tape;
  std::vector<Variable<Nilpotent<2>>> y;
  for (int i = 0; i < 3; ++i) y.push_back(tape.variable(Nilpotent<2>::seed(x[i], {x[i], i == 1 ? 1.0 : 0.0})));
  tape.reverse(f(y));
  for (int i = 0; i < 3; ++i) {
    const auto adjoint = tape.adjoint(y[i]);
    EXPECT_NEAR(adjoint.coefficient(3), adjoint.coefficient(2), 1e-12 * largest(p.gradient));
  }
}

TEST(Tape, InputsOfManyGroupsGiveTheSameBitsOnAnyNumberOfThreads) {
  const auto f = [](const auto& x) {
    auto sum = x[0] * x[0];
    for (std::size_t i = 1; i < x.size(); ++i) sum += sin(x[i] * x[i - 1]) * exp(0.1 * sum / double(i));
    return sum;
  };
  std::vector<double> x(75);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + double(i));
  const auto forward = hessian(f, x);
  std::vector<std::vector<double>> results;
  for (int threads : {1, 2, 7}) {
    const ThreadLimit limit(threads);
    const auto h = taped_hessian(f, x);
    EXPECT_LE(difference(h.hessian, forward.hessian), 1e-13 * largest(forward.hessian));
    results.push_back(h.hessian);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Tape, AllocatesNothingAfterTheFirstEvaluation) {
  if (!test::counts_allocations) GTEST_SKIP() << "the sanitizers bring their own allocator";
  const ThreadLimit limit(1);
  TapedFunction taped(everything, 4);
  std::vector<double> x = point(), g(4), p(4);
  taped.gradient(x, g);
  taped.hessian_product(x, x, g, p);
  const long before = test::allocation_count;
  x[0] += 0.1;
  taped.gradient(x, g);
  taped.hessian_product(x, x, g, p);
  EXPECT_EQ(test::allocation_count, before);
  EXPECT_TRUE(test::an_allocation_counts());
}

TEST(Tape, ConstantsAreNotTaped) {
  Tape<double> tape;
  const Variable<double> x = tape.variable(2.0), c = 3.0;
  const auto y = c * c + sin(c) / 2.0;
  EXPECT_TRUE(y.is_constant());
  EXPECT_EQ(tape.size(), 1u);
  const auto z = y * x + 1.0;
  EXPECT_EQ(tape.size(), 3u);
  tape.reverse(z);
  EXPECT_EQ(tape.adjoint(x), y.constant());
}

TEST(Tape, ABranchThatIsNotTakenDoesNoHarm) {
  const auto f = [](const auto& x) { return select(x[0] > 0.0, sqrt(x[0]), x[0] * x[0] * x[1]); };
  const auto g = taped_gradient(f, std::vector{0.0, 1.0});
  EXPECT_TRUE(g.status.usable());
  EXPECT_EQ(g.gradient, (std::vector{0.0, 0.0}));
}

TEST(Tape, StatusTellsWhatIsNotFiniteAndWhatIsAKink) {
  const auto root = taped_hessian([](const auto& x) { return x[0] + sqrt(x[1]); }, std::vector{1.0, 0.0});
  EXPECT_EQ(root.status.kind, DerivativeStatus::Kind::not_finite);
  EXPECT_EQ(root.status.index, 1);
  const auto kink = taped_hessian([](const auto& x) { return abs(x[0]) + x[1]; }, std::vector{0.0, 1.0});
  EXPECT_EQ(kink.status.kind, DerivativeStatus::Kind::kink);
}

TEST(Tape, AComparisonAtATieIsAKink) {
  const auto f = [](const auto& x) { return x[0] < 0.0 ? -x[0] : x[0] * x[1]; };
  EXPECT_EQ(taped_gradient(f, std::vector{0.0, 2.0}).status.kind, DerivativeStatus::Kind::kink);
  EXPECT_TRUE(taped_gradient(f, std::vector{0.5, 2.0}).status.ok());
  const auto checked = [](const auto& x) { return x[0] != x[0] ? x[1] : x[0]; };
  EXPECT_TRUE(taped_gradient(checked, std::vector{0.5, 2.0}).status.ok());
}

TEST(Tape, SecondDerivativesOfHypotAreAllThereAlongAnAxis) {
  const auto f = [](const auto& x) { return hypot(x[0], x[1]); };
  for (const double y : {1e-3, 1e-8, 1e-100}) {
    const auto r = taped_hessian(f, std::vector{1.0, y});
    EXPECT_NEAR(r.hessian[0], y * y / std::pow(std::hypot(1, y), 3), 1e-14 * y * y);
    EXPECT_NEAR(r.hessian[1], -y / std::pow(std::hypot(1, y), 3), 1e-14 * y);
  }
  for (const double size : {1e-200, 1e200}) {
    const auto r = taped_hessian(f, std::vector{3 * size, 4 * size});
    EXPECT_NEAR(r.gradient[0], 0.6, 1e-15);
    EXPECT_NEAR(r.hessian[0], 0.128 / size, 1e-14 / size);
    const auto a = taped_gradient([](const auto& x) { return atan2(x[1], x[0]); }, std::vector{3 * size, 4 * size});
    EXPECT_NEAR(a.gradient[0], -0.16 / size, 1e-15 / size);
    EXPECT_NEAR(a.gradient[1], 0.12 / size, 1e-15 / size);
  }
}

TEST(Tape, HypotHasItsValueWhereItHasNoDerivative) {
  const auto f = [](const auto& x) { return hypot(x[0], x[1]); };
  const auto r = taped_hessian(f, std::vector{0.0, 0.0});
  EXPECT_EQ(r.value, 0);
  EXPECT_EQ(r.status.kind, DerivativeStatus::Kind::not_finite);
}

TEST(Tape, PowersThatUnderflowLeaveTheirDerivatives) {
  const auto f = [](const auto& x) { return pow(x[0], 2.5) + rational_pow<7, 5>(x[1]); };
  const auto r = taped_hessian(f, std::vector{1e-140, -1e-250});
  EXPECT_NEAR(r.gradient[0], 2.5e-210, 1e-224);
  EXPECT_NEAR(r.hessian[0], 3.75e-70, 1e-84);
  EXPECT_NEAR(r.gradient[1], 1.4e-100, 2e-113);  // the exponent is rounded, and 250 ln 10 times as much its power
  const auto zero = taped_hessian([](const auto& x) { return pow(0.0, x[0]); }, std::vector{2.0});
  EXPECT_TRUE(zero.status.ok());
  EXPECT_EQ(zero.gradient[0], 0);
}

TEST(TapeBadInput, PointsAreRefused) {
  EXPECT_THROW(taped_gradient(everything, std::vector<double>{}), Error);
  EXPECT_THROW(taped_hessian(everything, std::vector{1.0, std::nan(""), 1.0, 1.0}), Error);
  EXPECT_THROW(taped_hessian_product(everything, point(), std::vector{1.0}), Error);
  TapedFunction taped(everything, 4);
  std::vector<double> g(4);
  EXPECT_THROW(taped.gradient(std::vector{1.0}, g), Error);
}

TEST(TapeBadInput, VariablesOfTwoTapesDoNotMix) {
  Tape<double> a, b;
  const auto x = a.variable(1.0), y = b.variable(2.0);
  EXPECT_THROW(x * y, Error);
}

}  // namespace
}  // namespace holo
