// Several motions share one design.
#include <cmath>

#include "holo/study/study.h"
#include "small_arm.h"

namespace holo_test {
namespace robot_design_tasks {

const std::string far_path =
    R"yaml(      signals: [{name: path, type: formula, formulas: ["0.33*cos(2 + t/T)", "0.33*sin(2 + t/T)", "0"]}]
)yaml";

// The tool's radius is 0.3 m; the first task wants 0.37 m at 11 knots, the second 0.33 m at 21.
std::string two_tasks() {
  const std::string tasks = R"yaml(motion:
  tasks:
    - name: near
      knots: 11
      duration: 1.0
      controls: [{control: shoulder, amplitude: 0.5}]
      signals: [{name: path, type: recorded, body: tool, design: {reach: 0.07}}]
    - name: far
      knots: 21
      duration: 2.0
      controls: [{control: shoulder, from: 2, to: 3}]
)yaml" + far_path;
  const std::string one = small_arm("amplitude: 0.5", "type: recorded, body: tool");
  return one.substr(0, one.find("motion:")) + tasks + one.substr(one.find("objectives:"));
}

class RobotDesignTasks : public SmallRuns {};
class RobotDesignTasksBadInput : public SmallRuns {};

TEST_F(RobotDesignTasks, ShareADesignThatServesEachByItsKnots) {
  write(two_tasks());
  const holo::RunOutcome outcome = run("a");
  EXPECT_EQ(metric(outcome, "converged"), 1);
  const double reach = (11 * 0.07 + 21 * 0.03) / 32;  // of the least squares
  EXPECT_NEAR(metric(outcome, "design_change"), reach, 1e-6);
  EXPECT_NEAR(metric(outcome, "position_error_mean_initial_near"), 0.07, 1e-12);
  EXPECT_NEAR(metric(outcome, "position_error_mean_initial_far"), 0.03, 1e-12);
  EXPECT_NEAR(metric(outcome, "position_error_mean_near"), 0.07 - reach, 1e-6);
  EXPECT_NEAR(metric(outcome, "position_error_maximum_far"), reach - 0.03, 1e-6);
  EXPECT_NEAR(metric(outcome, "position_error_mean_initial"), reach, 1e-12);
  // One row for each knot of all tasks; plots say where each begins.
  const std::string table = file("a", "metrics.csv"), described = file("a", "study.json");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 33);
  EXPECT_HOLDS(described, "Controls (near; from 1.1 s on far)");
}

TEST_F(RobotDesignTasks, BeginAtTheirTargetsWhereThatIsAskedFor) {
  write(replaced(two_tasks(), "motion:\n", "motion:\n  start: targets\n"));
  EXPECT_NEAR(metric(run("a"), "design_change"), (11 * 0.07 + 21 * 0.03) / 32, 1e-6);
}

// The second task has no target: it only has to be possible.
TEST_F(RobotDesignTasks, AnObjectiveCountsInTheTasksThatHaveItsTarget) {
  write(replaced(two_tasks(), far_path, ""));
  const holo::RunOutcome outcome = run("a");
  EXPECT_NEAR(metric(outcome, "design_change"), 0.07, 1e-6);
  EXPECT_LT(metric(outcome, "position_error_maximum_near"), 1e-6);
}

TEST_F(RobotDesignTasks, AFinishedRunIsTakenUpWithTheSameMetrics) { expect_resumes_to_the_same(two_tasks(), 0); }

TEST_F(RobotDesignTasksBadInput, WhatDoesNotFitTogetherIsRefusedWhereItStands) {
  EXPECT_HOLDS(refusal(replaced(two_tasks(), "duration: 2.0", "duration: 1.0")),
               "small.yaml:19:17: the task 'far' has time steps of 0.05 s");
  EXPECT_HOLDS(refusal(replaced(two_tasks(), "name: far", "name: near")), "two tasks named 'near'");
  EXPECT_HOLDS(refusal(replaced(two_tasks(), "name: far", "name: far away")), "letters, digits and _");
  EXPECT_HOLDS(refusal(replaced(two_tasks(), "  tasks:", "  knots: 3\n  tasks:")), "exclude each other");
  EXPECT_HOLDS(refusal(replaced(two_tasks(), "knots: 21", "knots: 1")), "motion.tasks.1.knots");
  EXPECT_HOLDS(refusal(replaced(two_tasks(), "objectives:", "signals: []\nobjectives:")), "unknown key 'signals'");
  EXPECT_HOLDS(refusal(replaced(two_tasks(), "\"0\"]}]", "\"0\"]}, {name: path, type: formula, formulas: [0, 0, 0]}]")),
               "two signals named 'path'");
  EXPECT_HOLDS(refusal(replaced(two_tasks(), "body: tool, design", "body: tool, quantity: orientation, design")),
               "has 3 numbers, and 4 in another task");
  EXPECT_HOLDS(refusal(replaced(two_tasks(), "motion:\n  tasks:", "motion: {}\nother:")),
               "needs one of the keys: knots, tasks");
}

}  // namespace robot_design_tasks
}  // namespace holo_test
