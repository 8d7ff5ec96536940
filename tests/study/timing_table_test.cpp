#include <cmath>

#include "holo/study/study.h"
#include "small_runs.h"
#include "studies/timing_table_steps.h"

namespace holo_test {
namespace {

const std::string yaml = R"(name: small
study: timing_table
repetitions: 4
tasks:
  - {name: second, task: quartic_derivative, order: 2, evaluations: 300}
  - {name: chain, task: product_chain, factors: 20, evaluations: 20}
metrics:
  - {name: ratio, kind: time_ratio, task: second, contestant: csfd}
  - {name: same, kind: time_ratio, task: chain, contestant: running_product, over: running_product}
  - {name: duration, kind: time, task: second, contestant: csfd}
  - {name: difference, kind: largest_difference, task: second, contestant: csfd}
acceptance:
  - {metric: difference, at_most: 1.0e-14}
)";

class TimingTable : public SmallRuns {};
class TimingTableBadInput : public SmallRuns {};

TEST_F(TimingTable, MetricsFileIsTheSameAgainAndTimesAreApart) {
  write(yaml);
  holo::RunOutcome outcome = run("a");
  run("b");
  EXPECT_TRUE(outcome.result.accepted());
  EXPECT_EQ(outcome.result.steps, 4);
  std::string metrics = file("a", "metrics.csv"), times = file("a", "timings.csv");
  EXPECT_EQ(metrics, file("b", "metrics.csv"));
  EXPECT_EQ(std::count(metrics.begin(), metrics.end(), '\n'), 5);
  EXPECT_EQ(std::count(times.begin(), times.end(), '\n'), 5);
  EXPECT_EQ(times.substr(0, times.find('\n')), metrics.substr(0, metrics.find('\n')));
  EXPECT_HOLDS(metrics, "second_analytic_factored");
  EXPECT_HOLDS(metrics, "chain_running_product");
}

TEST_F(TimingTable, RatiosAreThoseOfTheTimes) {
  write(yaml);
  const holo::RunResult result = run("a").result;
  ASSERT_EQ(result.metrics.size(), 4u);
  EXPECT_GT(result.metrics[0].value, 0);
  EXPECT_EQ(result.metrics[1].value, 1);
  EXPECT_GT(result.metrics[2].value, 0);
  EXPECT_LT(result.metrics[3].value, 1e-14);
  ASSERT_EQ(result.tables.size(), 2u);
  // contestant, description, time, ratio, difference: ratios, turn by turn, are to one of those written by hand, the fastest
  // of all turns. In the turns of a busy machine another one may be faster.
  int yardsticks = 0;
  for (const std::vector<holo::Cell>& row : result.tables[0].rows)
    yardsticks += std::get<std::string>(row[0]).rfind("analytic", 0) == 0 && std::get<double>(row[3]) == 1;
  EXPECT_GE(yardsticks, 1);
  // The tables survive the file.
  const holo::RunResult read = holo::result_from_json(folder_ / "a" / "result.json");
  ASSERT_EQ(read.tables.size(), 2u);
  EXPECT_EQ(read.tables[0].rows, result.tables[0].rows);
  EXPECT_EQ(read.tables[1].title, result.tables[1].title);
}

TEST_F(TimingTable, TimesThatAreNotJudgedAreNotAttempted) {
  const std::string claims = "paper:\n  source: Luo2019\n  claims: [{claim: fast, metric: ratio, at_most: 1.0e9}]\n";
  write(yaml + claims);
  EXPECT_EQ(run("judged").result.paper.at(0).verdict, holo::PaperVerdict::reproduced);
  write(replaced(yaml, "repetitions: 4", "repetitions: 4\njudge_times: false") + claims);
  const holo::RunResult result = run("quick").result;
  EXPECT_EQ(result.paper.at(0).verdict, holo::PaperVerdict::not_attempted);
  ASSERT_EQ(result.metrics.size(), 1u);
  EXPECT_EQ(result.metrics[0].name, "difference");
  EXPECT_TRUE(result.accepted());
  EXPECT_GT(std::get<double>(result.tables.at(0).rows.at(0).at(2)), 0) << "the table has the times all the same";
}

// A library that the build lacks is a row that says so, and nothing is measured of it.
TEST(TimingTableOfMissingLibraries, RowSaysSoAndNothingIsMeasured) {
  using holo::comparison::Contestant;
  holo::TimingTablePlan plan;
  plan.repetitions = 1;
  const auto make = [] {
    return holo::comparison::TimingTask{"thing",
                                        1,
                                        {Contestant{"own", "ours", true, [] {}, [] { return 0.0; }},
                                         Contestant{"other", "not found when this was built", false, {}, {}}}};
  };
  plan.tasks = {{"task", {"own", "other"}, make}};
  plan.named_metrics = {{"other_over_own", "time_ratio", "task", "other", "own"},
                        {"other_difference", "largest_difference", "task", "other", ""},
                        {"own_difference", "largest_difference", "task", "own", ""}};
  holo::TimingTable table(plan);
  KeptOutput output;
  table.step(output);
  const std::vector<holo::Metric> metrics = table.finish();
  ASSERT_EQ(metrics.size(), 1u);
  EXPECT_EQ(metrics[0].name, "own_difference");
  const std::vector<holo::Cell> row = table.tables().at(0).rows.at(1);
  EXPECT_EQ(std::get<std::string>(row.at(1)), "not found when this was built");
  EXPECT_EQ(std::get<std::string>(row.at(2)), "");
}

TEST_F(TimingTable, ResumesToTheSameRows) { expect_resumes_to_the_same(yaml, 2, false); }

TEST_F(TimingTableBadInput, UnknownNamesAreRefusedWithTheNearestAndThoseAllowed) {
  std::string said = refusal(replaced(yaml, "task: quartic_derivative", "task: quartic_derivatives"));
  EXPECT_HOLDS(said, "small.yaml:5:26");
  EXPECT_HOLDS(said, "Did you mean 'quartic_derivative'?");
  said = refusal(replaced(yaml, "contestant: running_product", "contestant: running_products"));
  EXPECT_HOLDS(said, "small.yaml:9:");
  EXPECT_HOLDS(said, "explicit_leaves");
  EXPECT_HOLDS(refusal(replaced(yaml, "over: running_product", "over: slowest")), "fastest_yardstick, explicit_leaves");
  EXPECT_HOLDS(refusal(replaced(yaml, "task: chain", "task: chains")), "Did you mean 'chain'?");
}

TEST_F(TimingTableBadInput, ValuesOutOfTheirRangesAreRefused) {
  EXPECT_HOLDS(refusal(replaced(yaml, "order: 2", "order: 4")), "small.yaml:5:");
  EXPECT_HOLDS(refusal(replaced(yaml, "repetitions: 4", "repetitions: 0")), "small.yaml:3:");
  EXPECT_HOLDS(refusal(replaced(yaml, "name: chain", "name: second")), "two tasks are named 'second'");
}

TEST_F(TimingTableBadInput, ARatioToAYardstickNeedsOne) {
  EXPECT_HOLDS(refusal(replaced(yaml, ", over: running_product", "")), "no contestant written by hand");
}

TEST_F(TimingTableBadInput, UnknownMaterialIsNamed) {
  std::string elements =
      "{name: second, task: element_derivative, derivative: gradient, mesh: {shape: box, size: [1, 1, 1], elements: 60}, "
      "material: "
      "{type: stvkk}}";
  std::string said = refusal(replaced(yaml, "{name: second, task: quartic_derivative, order: 2, evaluations: 300}", elements));
  EXPECT_HOLDS(said, "stvkk");
  EXPECT_HOLDS(said, "small.yaml:5:");
}

}  // namespace
}  // namespace holo_test
