// The table of singular points: what is true there, what nilpotent numbers and one-sided series return, and what a repair of
// sqrt at 0 would make of it.
#include <gtest/gtest.h>

#include <cmath>

#include "diff_singular/singular_functions.h"
#include "holo/diff/drivers.h"

namespace holo {
namespace {

using singular_table::Row;
using singular_table::rows;

// The derivative of the row's order by directional(), with all directions 1.
template <class Function>
struct Outcome {
  double value = 0, derivative = 0;
  DerivativeStatus status;
  std::shared_ptr<const SingularPoint> singular;
};

auto evaluate(const Row& row, const DerivativeOptions& options = {}) {
  return singular_table::with_function(row, [&](auto function) {
    const auto f = [&](const auto& x) { return function.evaluate(x[0]); };
    const std::array<double, 1> x{row.x}, v{1.0};
    Outcome<int> outcome;
    const auto keep = [&outcome](const auto& result) {
      outcome = {result.value, result.derivative, result.status, result.singular};
    };
    if (row.order == 1) keep(directional(f, x, options, v));
    if (row.order == 2) keep(directional(f, x, options, v, v));
    if (row.order == 3) keep(directional(f, x, options, v, v, v));
    return outcome;
  });
}

bool same_kind(const OneSidedDerivative& side, double truth) {
  if (std::isnan(truth)) return side.kind == OneSidedDerivative::Kind::no_real_value;
  if (std::isinf(truth)) return side.kind == OneSidedDerivative::Kind::infinite;
  return side.finite();
}

class SingularTable : public ::testing::TestWithParam<Row> {};

TEST_P(SingularTable, NilpotentNumbersLetTheNanThrough) {
  const Row& row = GetParam();
  const auto outcome = evaluate(row, {.singular = SingularRule::report});
  EXPECT_TRUE(std::isnan(outcome.derivative)) << outcome.derivative;
  EXPECT_EQ(outcome.status.kind, DerivativeStatus::Kind::not_finite);
  EXPECT_TRUE(outcome.status.without_one_sided);
  EXPECT_EQ(outcome.singular, nullptr);
}

TEST_P(SingularTable, OneSidedSeriesGiveTheTruthFromBothSides) {
  const Row& row = GetParam();
  const auto outcome = evaluate(row);
  EXPECT_EQ(outcome.status.kind, row.status) << to_string(outcome.status, 1);
  EXPECT_EQ(outcome.value, 0);
  ASSERT_NE(outcome.singular, nullptr);
  const double truths[] = {row.left, row.right};
  const OneSidedDerivative sides[] = {outcome.singular->left.back(), outcome.singular->right.back()};
  for (int side : {0, 1}) {
    EXPECT_TRUE(same_kind(sides[side], truths[side])) << int(sides[side].kind);
    if (!sides[side].exists()) continue;
    if (sides[side].finite()) {
      EXPECT_NEAR(sides[side].value, truths[side], 1e-13 * std::abs(truths[side]));
    } else {
      EXPECT_EQ(sides[side].value, truths[side]);
      EXPECT_DOUBLE_EQ(sides[side].exponent, row.exponent);
    }
  }
}

TEST_P(SingularTable, OnlyWhatIsAFiniteNumberIsUsable) {
  const auto outcome = evaluate(GetParam());
  EXPECT_EQ(outcome.status.usable(), std::isfinite(outcome.derivative));
}

INSTANTIATE_TEST_SUITE_P(Diff, SingularTable, ::testing::ValuesIn(rows),
                         [](const auto& row) { return "row" + std::to_string(row.index + 1); });

// What a "safe" square root would do: slope 0 at 0 instead of an infinite one. This is the mistake that the table guards.
template <int order>
Nilpotent<order> repaired_sqrt(const Nilpotent<order>& x) {
  return x.value() == 0.0 ? Nilpotent<order>(0.0) : sqrt(x);
}

TEST(SingularTableCanFail, ARepairedSquareRootGivesFiniteWrongDerivatives) {
  const double unit[2] = {1, 1};
  const auto at = [&](double x) { return Nilpotent<2>::seed(x, unit); };
  const auto t = at(1.0) - 1.0, l = log(1.0 - repaired_sqrt<2>(t * t)), intended = l * l;
  EXPECT_TRUE(isfinite(intended));  // NaN is what the table asks for
  EXPECT_EQ(intended.coefficient(3), 0);
  const auto c = cos(4.0 * (at(1.0) - 1.0)), g = c * c - 1.0, variant_b = repaired_sqrt<2>(g * g);
  EXPECT_TRUE(isfinite(variant_b));
  EXPECT_NE(variant_b.coefficient(3), 32);
}

}  // namespace
}  // namespace holo
