// Studies that make the tables of robot design.
#include <gtest/gtest.h>

#include "small_runs.h"

namespace holo_test {
namespace robot_tables {

#define ROBOTS HOLO_SOURCE_DIR "/experiments/robot_design/robots/"

const std::string counts = R"(name: small
study: robot_counts
robots:
  - {robot: )" ROBOTS R"(kickbot_merged.yaml, knots: 523}
  - {name: longer, robot: )" ROBOTS R"(kickbot_merged.yaml, knots: 1000}
acceptance:
  - {metric: kickbot_merged_variables, equals: 69545}
  - {metric: longer_variables, equals: 132986}
)";

const std::string times = R"(name: small
study: robot_step_times
repetitions: 1
iterations: 1
robots:
  - {robot: )" ROBOTS R"(legs.yaml, knots: 4}
  - {name: longer, robot: )" ROBOTS R"(legs.yaml, knots: 8, over: legs}
baselines:
  - {robot: )" ROBOTS R"(legs.yaml, solver: sparse_lu, knots: 4}
acceptance:
  - {metric: legs_sparse_lu_difference, at_most: 1.0e-7}
)";

const std::string gathered = R"(name: gathered
study: gathered_metrics
metrics: [kickbot_merged_variables, longer_variables]
experiments:
  - {name: once, file: small.yaml}
  - {name: again, file: small.yaml}
acceptance:
  - {metric: once_longer_variables, equals: 132986}
  - {metric: again_kickbot_merged_variables, equals: 69545}
)";

class RobotTables : public SmallRuns {};
class RobotTablesBadInput : public SmallRuns {};

TEST_F(RobotTables, CountsResumeToTheSame) { expect_resumes_to_the_same(counts, 1); }

TEST_F(RobotTables, TimesResumeToTheSameRows) {
  expect_resumes_to_the_same(times, 2, false);
  write(times);
  const holo::RunOutcome outcome = run("a");
  EXPECT_TRUE(outcome.result.accepted());
  EXPECT_EQ(outcome.result.tables.size(), 4u);
}

TEST_F(RobotTables, MetricsOfOtherExperimentsAreGathered) {
  write(counts);
  std::ofstream(folder_ / "gathered.yaml") << gathered;
  const holo::RunOutcome outcome =
      holo::run_experiment({folder_ / "gathered.yaml", "", {}, folder_ / "out", {{}, 1, {"test"}, nullptr}});
  EXPECT_TRUE(outcome.result.accepted());
  EXPECT_EQ(outcome.result.metrics.size(), 4u);
}

TEST_F(RobotTablesBadInput, UnknownRobotsSolversAndNamesGivenTwiceAreRefused) {
  EXPECT_HOLDS(refusal(replaced(counts, "kickbot_merged.yaml, knots: 523", "leg.yaml, knots: 5")), "Did you mean 'legs.yaml'?");
  EXPECT_HOLDS(refusal(replaced(counts, "name: longer, ", "")), "two robots are named 'kickbot_merged'");
  EXPECT_HOLDS(refusal(replaced(times, "sparse_lu, ", "sparse_lo, ")), "Did you mean 'sparse_lu'?");
  EXPECT_HOLDS(refusal(replaced(times, "over: legs", "over: leg")), "Did you mean 'legs'?");
  EXPECT_HOLDS(refusal(replaced(times, "knots: 8", "knots: 1")), "small.yaml:7:");
}

// The files of robots are read when the study is built; what is wrong there has both places.
TEST_F(RobotTablesBadInput, RobotsThatCannotBeReadAreRefusedWhereTheyAreNamed) {
  std::ofstream(folder_ / "arm.yaml") << "bodies: [{name: arm, origin: [0, 0, 0]}]\njoints: []\n";
  for (const std::string& good : {counts, times}) {
    const std::string message =
        refusal(replaced(good, "{name: longer, robot: " ROBOTS, "{name: longer, robot: arm.yaml, knots: 5}\n#"));
    EXPECT_HOLDS(message, "small.yaml:");
    EXPECT_HOLDS(message, "arm.yaml:2:");
  }
}

TEST_F(RobotTablesBadInput, WhatCannotBeGatheredIsRefusedWithItsPlace) {
  std::ofstream(folder_ / "other.yaml") << counts;
  const std::string good = replaced(replaced(gathered, "small.yaml", "other.yaml"), "file: small.yaml", "file: other.yaml");
  EXPECT_HOLDS(refusal(replaced(good, "longer_variables]", "longer_variable]")), "Did you mean 'longer_variables'?");
  EXPECT_HOLDS(refusal(replaced(good, "name: again, file: other.yaml", "name: again, file: small.yaml")),
               "gathers metrics itself");
  EXPECT_HOLDS(refusal(replaced(good, "name: again", "name: once")), "two experiments are named 'once'");
  EXPECT_HOLDS(refusal(replaced(good, "file: other.yaml", "file: none.yaml")), "none.yaml");
}

#undef ROBOTS

}  // namespace robot_tables
}  // namespace holo_test
