// Robots' steps measured in a process of their own.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/comparison/robot_table.h"

namespace holo::comparison {
namespace robot_steps {

const PluginHost& plugins() {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins"});
  return host;
}

std::string paper_file(const std::string& robot) {
  return HOLO_SOURCE_DIR "/experiments/robot_design/robots/" + robot + ".yaml";
}

TEST(RobotCounts, AreThoseOfThePapersTables) {
  for (const PaperRobot& paper : paper_robots()) {
    if (paper.robot != "legs" && paper.robot != "kickbot_merged")
      continue;  // the others take their time: an experiment has all
    std::map<std::string, double> counts;
    for (const RobotCount& count : count_robot(paper_file(paper.robot), paper.knots, plugins()))
      counts[count.name] = count.value;
    EXPECT_EQ(counts["variables"], paper.variables) << paper.name;
    EXPECT_EQ(counts["constraints"], paper.constraints) << paper.name;
    EXPECT_EQ(counts["loops"], paper.robot == "legs" ? 7 : 0);
    EXPECT_EQ(counts["redundant_active"], paper.robot == "legs" ? 2 : 0);
    EXPECT_EQ(counts["bodies"], paper.robot == "legs" ? 26 : 15);
    EXPECT_EQ(counts["driven"], paper.robot == "legs" ? 8 : 14);
  }
}

TEST(RobotSteps, SolversOfAProcessOfTheirOwnFindTheSameStep) {
  const RobotStepOutcome outcome = measure_apart({.robot = paper_file("legs"),
                                                  .knots = 10,
                                                  .repetitions = 1,
                                                  .iterations = 2,
                                                  .solvers = {"arrow", "arrow_klu", "dense_riccati", "sparse_lu"}});
  ASSERT_EQ(outcome.status, RobotStepOutcome::Status::done) << outcome.diagnosis;
  for (const char* name : {"arrow_klu", "dense_riccati", "sparse_lu"}) {
    EXPECT_GT(outcome.values.at(std::string("step.") + name), 0) << name;
    EXPECT_LT(outcome.values.at(std::string("difference.") + name), 1e-7) << name;
  }
  double sum = 0;
  for (const auto& [name, value] : outcome.values) sum += name.rfind("part.", 0) == 0 ? value : 0;
  EXPECT_NEAR(sum, outcome.values.at("iteration.one_thread"), 1e-9);
  EXPECT_GT(outcome.values.at("memory"), 0);
}

TEST(RobotSteps, TwoLengthsTakeTurnsAndTenTimesTheKnotsTakeAboutTenTimesAsLong) {
  const RobotStepOutcome outcome = measure_apart({.robot = paper_file("legs"),
                                                  .knots = 60,
                                                  .repetitions = 3,
                                                  .iterations = 2,
                                                  .over = {.robot = paper_file("legs"), .knots = 6}});
  ASSERT_EQ(outcome.status, RobotStepOutcome::Status::done) << outcome.diagnosis;
  EXPECT_GT(outcome.values.at("iteration.over_other"), 3);  // times are not judged here: not 1, and not its inverse
  EXPECT_THROW(measure_apart({.robot = paper_file("legs"), .knots = 6, .over = {paper_file("legs"), 6}}), Error);
}

TEST(RobotSteps, AProcessWithoutTimeTellsWhatItHas) {
  const RobotStepOutcome outcome =
      measure_apart({.robot = paper_file("legs"), .knots = 10, .repetitions = 1'000'000, .solvers = {"arrow"}, .seconds = 1});
  EXPECT_EQ(outcome.status, RobotStepOutcome::Status::out_of_time);
  EXPECT_NE(outcome.diagnosis.find("1 s"), std::string::npos) << outcome.diagnosis;
  EXPECT_GT(outcome.values.at("step.arrow"), 0);
}

TEST(RobotSteps, AProcessWithoutMemorySaysSo) {
  const RobotStepOutcome outcome = measure_apart({.robot = paper_file("legs"), .knots = 10, .solvers = {"arrow"}, .bytes = 1});
  EXPECT_EQ(outcome.status, RobotStepOutcome::Status::out_of_memory);
  EXPECT_FALSE(outcome.diagnosis.empty());
}

TEST(RobotSteps, ABaselineIsTriedWithFewerKnotsUntilItIsDone) {
  MeasuringLimits limits{.repetitions = 1};
  const BaselineTime time = time_baseline(paper_file("legs"), "sparse_lu", {10, 4}, limits, {});
  EXPECT_EQ(time.knots, 10);
  EXPECT_EQ(time.trials.size(), 1u);
  EXPECT_LT(time.difference, 1e-7);
  limits.bytes = 1;
  const BaselineTime none = time_baseline(paper_file("legs"), "sparse_lu", {10, 4}, limits, {});
  EXPECT_EQ(none.knots, 0);
  EXPECT_EQ(none.trials.size(), 2u);
  EXPECT_TRUE(std::isnan(none.ratio()));
}

}  // namespace robot_steps
}  // namespace holo::comparison
