#include <cmath>

#include "holo/study/study.h"
#include "small_runs.h"

namespace holo_test {
namespace {

const std::string function_curves_yaml = R"(name: small
study: function_curves
points: {first: -0.4, last: 0.4, count: 9}
curves:
  - {name: steep, function: logarithmic_volume_penalty, derivative: 1}
  - {name: flat, function: quadratic_volume_penalty, derivative: 1}
metrics:
  - {name: crossing, kind: crossing, curve: steep, other: flat, from: 0.1, to: 0.3}
  - {name: ratio, kind: ratio, curve: steep, other: flat, at: 0.49}
  - {name: difference, kind: largest_difference, curve: steep}
  - {name: nowhere, kind: crossing, curve: steep, other: flat, from: 0.3, to: 0.4}
acceptance:
  - {metric: difference, at_most: 1.0e-12}
)";

class FunctionCurves : public SmallRuns {};
class FunctionCurvesBadInput : public SmallRuns {};

// 4 log(1 - 4 e^2) = -(1 - 4 e^2) where the slopes 8 e |log| / (1 - 4 e^2) and 2 e agree.
TEST_F(FunctionCurves, CrossingSolvesItsEquation) {
  write(function_curves_yaml);
  const std::vector<holo::Metric> metrics = run("a").result.metrics;
  const double e = metrics[0].value, q = 1 - 4 * e * e;
  EXPECT_NEAR(4 * std::log(q), -q, 1e-13);
  EXPECT_NEAR(metrics[1].value, -4 * std::log(1 - 4 * 0.49 * 0.49) / (1 - 4 * 0.49 * 0.49), 1e-9);
  EXPECT_TRUE(std::isnan(metrics[3].value));
}

TEST_F(FunctionCurves, WritesARowForEachPointAndTheSameOnesAgain) {
  write(function_curves_yaml);
  EXPECT_TRUE(run("a").result.accepted());
  run("b");
  std::string table = file("a", "metrics.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 10);
  EXPECT_EQ(table.rfind("x,steep,flat\n-0.4,", 0), 0u) << table;
  EXPECT_EQ(table, file("b", "metrics.csv"));
}

TEST_F(FunctionCurves, ResumesToTheSameRows) {
  expect_resumes_to_the_same(
      replaced(function_curves_yaml, "name: nowhere, kind: crossing",
               "name: other_ratio, kind: ratio, at: 0.2, curve: steep, other: flat}\n  - {name: another, kind: crossing"),
      4, false);
}

TEST_F(FunctionCurvesBadInput, PlacesOutsideOfTheDomainAreRefused) {
  EXPECT_HOLDS(refusal(replaced(function_curves_yaml, "last: 0.4", "last: 0.5")), "small.yaml:5:");
  EXPECT_HOLDS(refusal(replaced(function_curves_yaml, "at: 0.49", "at: 0.5")), "small.yaml:9:");
  EXPECT_HOLDS(refusal(replaced(function_curves_yaml, "last: 0.4", "last: -0.5")), "must be above 'first'");
  EXPECT_HOLDS(refusal(replaced(function_curves_yaml, "count: 9", "count: 1")), "small.yaml:3:");
}

TEST_F(FunctionCurvesBadInput, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_HOLDS(refusal(replaced(function_curves_yaml, "logarithmic_volume_penalty", "logarithmic_volume_penaly")),
               "Did you mean 'logarithmic_volume_penalty'?");
  EXPECT_HOLDS(refusal(replaced(function_curves_yaml, "other: flat, from", "other: flatt, from")), "Did you mean 'flat'?");
  EXPECT_HOLDS(refusal(replaced(function_curves_yaml, "name: flat", "name: steep")), "two curves are named 'steep'");
}

}  // namespace
}  // namespace holo_test
