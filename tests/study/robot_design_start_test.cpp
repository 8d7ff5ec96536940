// What a robot begins with: a design that is built in, and a motion that can only be so fast. A tool on an arm of 0.3 m.
#include <cmath>

#include "small_arm.h"

namespace holo_test {
namespace robot_design_start {

const std::string yaml = std::string(small_arm_robot) + R"(  merged: {reach: 0.07}
motion: {knots: 11, duration: 1.0, start: targets}
signals: [{name: path, type: formula, formulas: [0.37*cos(t), 0.37*sin(t), 0]}]
objectives:
  - {type: track_position, body: tool, target: path}
  - {type: control_rate_limit, control: all, minimum: -2, maximum: 2}
  - {type: keep_control, control: all, weight: 1.0e-9}
  - {type: smooth_control, control: all, weight: 1.0e-9}
)";

// Inverse kinematics keeps a pose near the one before: by 1e-5 of the way between two knots, 0.1 rad here.
constexpr double kept = 2e-5;

class RobotDesignStart : public SmallRuns {};
class RobotDesignStartBadInput : public SmallRuns {};

TEST_F(RobotDesignStart, AMergedDesignIsPartOfTheRobot) {
  write(yaml);
  const holo::RunOutcome outcome = run("a");
  EXPECT_LT(metric(outcome, "position_error_maximum_initial"), kept);
  EXPECT_EQ(metric(outcome, "design_change"), 0);
  write(replaced(yaml, "merged: {reach: 0.07}", "merged: {}"));
  EXPECT_NEAR(metric(run("b"), "position_error_mean_initial"), 0.07, 1e-8);
}

// The path turns by 1 rad/s: an arm that can turn by 0.4 lags behind by 0.6 t.
TEST_F(RobotDesignStart, ARateLimitIsKeptFromKnotToKnot) {
  write(replaced(yaml, "start: targets", "start: targets, rate_limit: 0.4"));
  const holo::RunOutcome outcome = run("a");
  EXPECT_NEAR(metric(outcome, "position_error_maximum_initial"), 2 * 0.37 * std::sin(0.3), 1e-6);
  EXPECT_NEAR(metric(outcome, "control_rate_margin_maximum_initial"), 2 - 0.4, 1e-6);
  EXPECT_LT(metric(outcome, "position_error_maximum"), 1e-4);
  write(replaced(yaml, "start: targets", "start: targets, rate_limit: 1.1"));
  EXPECT_LT(metric(run("b"), "position_error_maximum_initial"), kept);
}

TEST_F(RobotDesignStartBadInput, DesignsAndLimitsAreRefusedWhereTheyStand) {
  EXPECT_HOLDS(refusal(replaced(yaml, "merged: {reach:", "merged: {raech:")), "small.yaml:10:");
  EXPECT_HOLDS(refusal(replaced(yaml, "merged: {reach:", "merged: {raech:")), "Did you mean 'reach'?");
  EXPECT_HOLDS(refusal(replaced(yaml, "reach: 0.07", "reach: far")), "no number");
  EXPECT_HOLDS(refusal(replaced(yaml, "start: targets", "rate_limit: 1")), "add `start: targets`");
  EXPECT_HOLDS(refusal(replaced(yaml, "start: targets", "start: targets, rate_limit: 0")), "rate_limit");
  EXPECT_HOLDS(
      refusal(replaced(replaced(yaml, "start: targets", "start: targets, rate_limit: 1"), "type: revolute", "type: universal")),
      "one coordinate");
}

}  // namespace robot_design_start
}  // namespace holo_test
