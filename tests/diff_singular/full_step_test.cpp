// The full multicomplex step as published, and the accelerated number: right where the table of singular points marks them, and
// never certified.
#include "holo/diff/singular/full_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "diff_singular/singular_functions.h"
#include "holo/diff/drivers.h"
#include "holo/diff/scalars/accelerated_paper.h"

namespace holo {
namespace {

using singular_table::Row;
using singular_table::rows;

class FullStepTable : public ::testing::TestWithParam<Row> {};

TEST_P(FullStepTable, IsNeverCertifiedAndRightWhereTheTableSaysSo) {
  const Row& row = GetParam();
  singular_table::with_function(row, [&](auto function) {
    const auto f = [&](const auto& x) { return function.evaluate(x[0]); };
    const std::array<double, 1> x{row.x}, v{1.0};
    const auto expect = [&row](const auto& result) {
      EXPECT_TRUE(result.status.uncertified);
      EXPECT_EQ(result.singular, nullptr);
      EXPECT_EQ(result.status.usable(), std::isfinite(result.derivative));
      if (row.full_step_is_right) {
        EXPECT_NEAR(result.derivative, row.right, 1e-14 * (1 + std::abs(row.right)));
      }
    };
    if (row.order == 1) expect(directional(f, x, FullStep(), v));
    if (row.order == 2) expect(directional(f, x, FullStep(), v, v));
    if (row.order == 3) expect(directional(f, x, FullStep(), v, v, v));
    return 0;
  });
}

INSTANTIATE_TEST_SUITE_P(Diff, FullStepTable, ::testing::ValuesIn(rows),
                         [](const auto& row) { return "row" + std::to_string(row.index + 1); });

TEST(AcceleratedNumber, IsRightWhereTheTableSaysSo) {
  int right = 0;
  for (const Row& row : rows) {
    if (!row.accelerated_is_right) continue;
    ++right;
    singular_table::with_function(row, [&](auto function) {
      const auto y = function.evaluate(AcceleratedPaper<double>::seed(row.x, 1.0));
      EXPECT_NEAR(y.derivative(), row.right, 1e-14) << row.name;
      return 0;
    });
  }
  EXPECT_EQ(right, 2);
}

TEST(FullStep, AtRegularPointsTheStepIsNotTakenAndNothingIsUncertified) {
  const auto f = [](const auto& x) { return exp(x[0]) * x[1]; };
  const auto h = hessian(f, std::array{0.3, 2.0}, FullStep());
  EXPECT_TRUE(h.status.ok());
  EXPECT_FALSE(h.status.uncertified);
}

// x0 |x0| x1 + |x1|^2, with infinite slopes on the way.
TEST(FullStep, ServesEveryDriver) {
  const auto f = [](const auto& x) { return x[0] * sqrt(x[0] * x[0]) * x[1] + sqrt(x[1] * x[1]) * sqrt(x[1] * x[1]); };
  const std::array<double, 2> x{0.0, 0.0};
  const auto expect = [](const auto& result) { EXPECT_TRUE(result.status.uncertified); };
  const auto g = gradient(f, x, FullStep());
  expect(g);
  EXPECT_NEAR(g.gradient[0], 0, 1e-30);
  const auto h = hessian(f, x, FullStep());
  expect(h);
  EXPECT_NEAR(h.hessian[3], 2, 1e-14);
  const auto p = hessian_vector_product(f, x, std::array{0.0, 1.0}, FullStep());
  expect(p);
  EXPECT_NEAR(p.product[1], 2, 1e-14);
  expect(third_order_contraction(f, x, x, std::array{0.0, 1.0}, FullStep()));
  EXPECT_NE(to_string(h.status, 2).find("by a full multicomplex step, which may be wrong at such points"), std::string::npos);
}

}  // namespace
}  // namespace holo
