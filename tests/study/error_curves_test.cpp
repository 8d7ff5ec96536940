#include <cmath>

#include "holo/study/study.h"
#include "small_runs.h"

namespace holo_test {
namespace {

const std::string error_curves_yaml = R"(name: small
study: error_curves
function: exponential_over_quartic
point: 4
steps: {first_exponent: -2, last_exponent: -40}
curves:
  - {method: central_difference}
  - {method: csfd, order: 2}
  - {method: forward_difference, precision: long_double}
metrics:
  - {name: best, kind: smallest_error, curve: central_difference}
  - {name: best_exponent, kind: exponent_of_smallest_error, curve: central_difference}
  - {name: worst_csfd, kind: largest_error, curve: csfd_2}
  - {name: slope, kind: smallest_slope, curve: central_difference, from: -4, to: -10}
  - {name: steepest, kind: largest_slope, curve: central_difference, from: -4, to: -10}
  - {name: long_double_best, kind: smallest_error, curve: forward_difference_long_double}
acceptance:
  - {metric: worst_csfd, at_most: 1.0e-14}
)";

class ErrorCurves : public SmallRuns {};
class ErrorCurvesBadInput : public SmallRuns {};

TEST_F(ErrorCurves, WritesARowForEachPowerOfTwoAndTheSameOnesAgain) {
  write(error_curves_yaml);
  holo::RunOutcome outcome = run("a");
  run("b");
  EXPECT_TRUE(outcome.result.accepted());
  EXPECT_EQ(outcome.result.steps, 39);
  std::string table = file("a", "metrics.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 40);
  EXPECT_EQ(table.rfind("step_exponent,step,central_difference,csfd_2,forward_difference_long_double\n-2,0.25,", 0), 0u)
      << table;
  EXPECT_EQ(table, file("b", "metrics.csv"));
  EXPECT_EQ(file("a", "result.json"), file("b", "result.json"));
}

TEST_F(ErrorCurves, MeasuresAreThoseOfTheColumns) {
  write(error_curves_yaml);
  const std::vector<holo::Metric> metrics = run("a").result.metrics;
  ASSERT_EQ(metrics.size(), 6u);
  EXPECT_GT(metrics[0].value, 1e-11);  // the rounding of f over a step near the cube root of epsilon
  EXPECT_LT(metrics[0].value, 1e-9);
  EXPECT_NEAR(metrics[1].value, std::log2(std::cbrt(1.1e-16)), 3);
  EXPECT_LT(metrics[2].value, 1e-14);
  EXPECT_NEAR(metrics[3].value, 2, 0.1);  // second order
  EXPECT_NEAR(metrics[4].value, 2, 0.1);
  EXPECT_GE(metrics[4].value, metrics[3].value);
  EXPECT_LT(metrics[5].value, 1e-8);  // eleven bits more than double
}

TEST_F(ErrorCurves, ResumesToTheSameRows) { expect_resumes_to_the_same(error_curves_yaml, 13); }

TEST_F(ErrorCurvesBadInput, UnknownNamesAreRefusedWithTheNearestAndThoseAllowed) {
  std::string said = refusal(replaced(error_curves_yaml, "method: central_difference", "method: central_diference"));
  EXPECT_HOLDS(said, "small.yaml:7:14");
  EXPECT_HOLDS(said, "Did you mean 'central_difference'?");
  EXPECT_HOLDS(said, "complex_step");
  said = refusal(replaced(error_curves_yaml, "exponential_over_quartic", "exponential"));
  EXPECT_HOLDS(said, "small.yaml:3:11");
  EXPECT_HOLDS(said, "cube_root");
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "curve: csfd_2", "curve: csfd_3")), "small.yaml:13:52");
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "metric: worst_csfd", "metric: worst")), "no metric 'worst'");
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "kind: smallest_slope", "kind: slope")), "smallest_slope");
}

TEST_F(ErrorCurvesBadInput, CurvesThatDoNotExistAreRefusedWithThoseThatDo) {
  std::string said =
      refusal(replaced(error_curves_yaml, "{method: csfd, order: 2}", "{method: csfd, order: 2, precision: long_double}"));
  EXPECT_HOLDS(said, "small.yaml:8:14");
  EXPECT_HOLDS(said, "csfd of order 2 in long double");
  EXPECT_HOLDS(said, "forward_difference of order 1 in long double");
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "order: 2", "order: 4")), "small.yaml:8:27");
}

TEST_F(ErrorCurvesBadInput, StepsMustShrinkAndRangesLieAmongThem) {
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "last_exponent: -40", "last_exponent: -1")),
               "may not be above first_exponent");
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "from: -4, to: -10", "from: -4, to: -41")), "small.yaml:14:");
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "from: -4, to: -10", "from: -10, to: -4")), "may not be above 'from'");
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "name: best_exponent", "name: best")), "two metrics are named 'best'");
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "csfd, order: 2", "central_difference")),
               "two curves are 'central_difference'");
}

TEST_F(ErrorCurvesBadInput, KeysOfNoOneAreRefused) {
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "point: 4", "piont: 4")), "Did you mean 'point'?");
  EXPECT_HOLDS(refusal(replaced(error_curves_yaml, "point: 4", "point: here")), "small.yaml:4:8");
}

}  // namespace
}  // namespace holo_test
