// Where a function chooses a side at a tie: by abs, min, max, or a comparison of its own.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/core/error.h"
#include "holo/diff/drivers.h"
#include "holo/diff/singular/full_step.h"

namespace holo {
namespace {

using Kind = DerivativeStatus::Kind;
using Choice = NondifferentiableChoice;

constexpr std::array<double, 1> zero{0.0};
constexpr auto absolute = [](const auto& x) { return abs(x[0]); };
constexpr auto by_maximum = [](const auto& x) { return max(x[0], -x[0]); };
constexpr auto by_minimum = [](const auto& x) { return -min(x[0], -x[0]); };
constexpr auto by_root = [](const auto& x) { return sqrt(x[0] * x[0]); };
constexpr auto by_comparison = [](const auto& x) {
  using S = std::remove_cvref_t<decltype(x[0])>;
  return x[0] < 0.0 ? S(-x[0]) : S(x[0]);
};

template <class F>
void expect_choices_of_the_absolute_value(const F& f) {
  const auto slope = [&](Choice choice) {
    const auto g = gradient(f, zero, {.nondifferentiable = choice});
    EXPECT_EQ(g.status.kind, Kind::nondifferentiable) << to_string(g.status, 1);
    EXPECT_EQ(g.value, 0);
    return g.gradient[0];
  };
  EXPECT_EQ(slope(Choice::mean), 0);
  EXPECT_EQ(slope(Choice::left), -1);
  EXPECT_EQ(slope(Choice::right), 1);
  EXPECT_THROW(gradient(f, zero, {.nondifferentiable = Choice::throw_error}), Error);
  EXPECT_TRUE(gradient(f, std::array{0.5}).status.ok());
}

TEST(ChoicesAtAKink, AreTheSameHoweverTheAbsoluteValueIsWritten) {
  expect_choices_of_the_absolute_value(absolute);
  expect_choices_of_the_absolute_value(by_maximum);
  expect_choices_of_the_absolute_value(by_minimum);
  expect_choices_of_the_absolute_value(by_root);
  expect_choices_of_the_absolute_value(by_comparison);
}

TEST(ChoicesAtAKink, AreNotMadeWhereOnlyAReportIsWanted) {
  for (const Choice choice : {Choice::mean, Choice::left, Choice::throw_error}) {
    const auto g = gradient(by_comparison, zero, {.singular = SingularRule::report, .nondifferentiable = choice});
    EXPECT_EQ(g.status.kind, Kind::kink);
    EXPECT_EQ(g.gradient[0], 1);
  }
  EXPECT_EQ(gradient(without_one_sided(absolute), zero).status.kind, Kind::kink);
  EXPECT_EQ(gradient(absolute, zero, FullStep()).status.kind, Kind::kink);
}

// What an author writes to avoid 0/0 replaces the function at a point, and its derivatives with it.
TEST(ComparisonsAtATie, GiveTheDerivativesOfTheFunctionAroundIt) {
  const auto guarded_sinc = [](const auto& x) {
    using S = std::remove_cvref_t<decltype(x[0])>;
    if (x[0] == 0.0) return S(1.0);
    return S(sin(x[0]) / x[0]);
  };
  const auto h = hessian(guarded_sinc, zero);
  EXPECT_EQ(h.status.kind, Kind::singular_resolved) << to_string(h.status, 1);
  EXPECT_EQ(h.value, 1);
  EXPECT_NEAR(h.hessian[0], -1.0 / 3, 1e-15);
}

TEST(ComparisonsAtATie, OfANumberWithItselfAreNone) {
  const auto checked = [](const auto& x) {
    using S = std::remove_cvref_t<decltype(x[0])>;
    const S y = x[0] * x[0];
    if constexpr (requires { y != y; })
      if (y != y) return S(0.0);
    return y;
  };
  EXPECT_TRUE(gradient(checked, std::array{2.0}).status.ok());
}

TEST(ComparisonsAtATie, OfEqualPiecesAreResolved) {
  const auto g = gradient([](const auto& x) { return max(x[0], x[0]) + max(x[0] * x[0], -x[0] * x[0]); }, zero);
  EXPECT_EQ(g.status.kind, Kind::singular_resolved) << to_string(g.status, 1);
  EXPECT_EQ(g.gradient[0], 1);
}

TEST(ComparisonsAtATie, OfAStepAreAJump) {
  const auto f = [](const auto& x) {
    using std::floor;
    return floor(x[0]) + x[0];
  };
  const auto g = gradient(f, std::array{1.0});
  EXPECT_EQ(g.status.kind, Kind::nondifferentiable);
  EXPECT_EQ(g.status.index, DerivativeStatus::value_index);
  EXPECT_EQ(g.value, 2);
}

// The gradient is known, and stays, where the second derivative exceeds the range of numbers.
template <class F>
void expect_gradient_beside_too_large_hessian(const F& f, double x) {
  const std::array<double, 1> point{x};
  const auto g = gradient(f, point);
  const auto h = hessian(f, point);
  ASSERT_TRUE(g.status.ok());
  EXPECT_EQ(h.value, g.value);
  EXPECT_EQ(h.gradient[0], g.gradient[0]);
  EXPECT_TRUE(std::isinf(h.hessian[0]));
  EXPECT_EQ(h.status.kind, Kind::not_finite);
  EXPECT_EQ(h.status.index, 1);
  EXPECT_EQ(to_string(h.status, 1),
            "the derivative with respect to x[0] and x[0] is too large for a number: it exceeds 1.8e308");
}

TEST(DerivativesThatOverflow, LeaveTheLowerOnesAndAreNamed) {
  expect_gradient_beside_too_large_hessian([](const auto& x) { return sqrt(x[0]); }, 1e-300);
  expect_gradient_beside_too_large_hessian([](const auto& x) { return log(x[0]); }, 1e-300);
  expect_gradient_beside_too_large_hessian([](const auto& x) { return 1.0 / x[0]; }, 1e-150);
  expect_gradient_beside_too_large_hessian([](const auto& x) { return cbrt(x[0]); }, -1e-290);
}

}  // namespace
}  // namespace holo
