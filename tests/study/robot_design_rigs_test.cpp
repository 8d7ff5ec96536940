// Targets recorded from another mechanism, and formulas by names: a tool on an arm of 0.3 m follows that of a rig of 0.37 m.
#include <cmath>

#include "small_arm.h"

namespace holo_test {
namespace robot_design_rigs {

// The rig's arm turns by 0.1 + swing, as the robot's does, and its tool by -1 against the arm.
const std::string yaml = std::string(small_arm_robot) + R"(motion: {knots: 11, duration: 1.0}
let: {s: 2*pi*t/T, swing: 0.5*sin(s)}
controls: [{control: shoulder, formula: 0.1 + swing}]
rigs:
  - name: puppet
    robot:
      bodies: [{name: glass, origin: [0.37, 0, 0]}, {name: pole, origin: [0.2, 0, 0]}, {name: torch, origin: [0.35, 0, 0]}]
      joints:
        - {name: base, type: revolute, between: [world, pole], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
        - {name: wrist, type: revolute, between: [pole, torch], point: [0.37, 0, 0], axis: [0, 0, 1], role: actuator}
        - {name: zoom, type: prismatic, between: [torch, glass], point: [0.37, 0, 0], axis: [1, 0, 0], role: configurable}
    controls: [{control: base, formula: 0.1 + swing}, {control: wrist, from: -1}]
signals: [{name: path, type: recorded, robot: puppet, TARGET}]
objectives:
  - {type: track_position, body: tool, target: path}
  - {type: keep_control, control: all, weight: 1.0e-6}
  - {type: smooth_control, control: all, weight: 1.0e-9}
  - {type: keep_design_parameter, design_parameter: all, weight: 1.0e-9}
)";

std::string with(const std::string& target) { return replaced(yaml, "TARGET", target); }
// The arm's orientation follows it.
std::string turned_with(const std::string& target) {
  return replaced(with(target), "{type: track_position, body: tool", "{type: track_orientation, body: arm");
}

class RobotDesignRigs : public SmallRuns {};
class RobotDesignRigsBadInput : public SmallRuns {};

// The wrist's place is 0.02 m before the torch's origin, and turns with neither of them.
TEST_F(RobotDesignRigs, APointOfAnotherMechanismIsFollowed) {
  write(with("body: torch, point: [0.02, 0, 0]"));
  const holo::RunOutcome outcome = run("a");
  EXPECT_EQ(metric(outcome, "converged"), 1);
  EXPECT_NEAR(metric(outcome, "position_error_mean_initial"), 0.07, 1e-12);
  EXPECT_NEAR(metric(outcome, "position_error_maximum_initial"), 0.07, 1e-12);
  EXPECT_NEAR(metric(outcome, "design_change"), 0.07, 1e-6);
}

// 0.37 m along the pole, and 0.3 m along the torch, which points sideways of it by 1 rad.
TEST_F(RobotDesignRigs, ARigMayHaveADesignOfItsOwn) {
  write(with("body: glass, design: {zoom: 0.3}"));
  const double along = 0.37 + 0.3 * std::cos(1.0) - 0.3, across = -0.3 * std::sin(1.0);
  EXPECT_NEAR(metric(run("a"), "position_error_mean_initial"), std::hypot(along, across), 1e-12);
}

TEST_F(RobotDesignRigs, AnOrientationOfAnotherMechanismIsFollowed) {
  write(turned_with("body: torch, quantity: orientation"));
  const holo::RunOutcome outcome = run("a");
  EXPECT_NEAR(metric(outcome, "orientation_error_mean_initial"), 1, 1e-9);
  EXPECT_LT(metric(outcome, "orientation_error_maximum"), 1e-5);
}

TEST_F(RobotDesignRigsBadInput, RigsAreRefusedWhereTheyStand) {
  const std::string good = with("body: pole");
  EXPECT_HOLDS(refusal(replaced(good, "robot: puppet", "robot: pupet")), "no rig is named 'pupet'; there are: puppet");
  EXPECT_HOLDS(refusal(replaced(good, "robot: puppet", "robot: pupet")), "small.yaml:22:");
  EXPECT_HOLDS(refusal(with("body: tool")), "glass, pole, torch");
  EXPECT_HOLDS(refusal(with("body: glass, design: {reach: 0.1}")), "no design parameter is named 'reach'; there are: zoom");
  EXPECT_HOLDS(refusal(replaced(good, "control: base", "control: shoulder")), "base, wrist");
  EXPECT_HOLDS(refusal(replaced(good, "type: prismatic, between: [torch, glass]", "type: prismatic, between: [torch, gals]")),
               "glass");
  EXPECT_HOLDS(refusal(replaced(good, "axis: [0, 0, 1], role: actuator}\n        - {name: zoom",
                                "axis: [0, 0, 1], role: prescribed}\n        - {name: zoom")),
               "prescribed joints");
}

TEST_F(RobotDesignRigsBadInput, ARigOfNobodyIsRefused) {
  std::string none = with("body: pole");
  const std::size_t first = none.find("rigs:"), last = none.find("signals:");
  EXPECT_HOLDS(refusal(none.erase(first, last - first)), "there are no `rigs`");
  const std::string twice = replaced(with("body: pole"), "signals:", R"(  - name: puppet
    robot: {file: )" HOLO_SOURCE_DIR R"(/experiments/robot_design/robots/kickbot_rig.yaml}
signals:)");
  EXPECT_HOLDS(refusal(twice), "two rigs named 'puppet'");
}

// A bar holds the pole where it is.
TEST_F(RobotDesignRigsBadInput, ARigThatCannotMoveSoIsRefusedByItsName) {
  const std::string message = refusal(
      replaced(with("body: pole"), "        - {name: zoom",
               "        - {name: lock, type: spherical, between: [world, pole], point: [0.2, 0, 0]}\n        - {name: zoom"));
  EXPECT_HOLDS(message, "small.yaml:14:");
  EXPECT_HOLDS(message, "the rig 'puppet' cannot follow its controls");
}

TEST_F(RobotDesignRigsBadInput, NamedFormulasAreRefusedWhereTheyStand) {
  const std::string good = with("body: pole");
  EXPECT_HOLDS(refusal(replaced(good, "0.5*sin(s)", "0.5*sin(r)")),
               "'r' is neither a function nor one of t, T, dt, s, pi, deg");
  EXPECT_HOLDS(refusal(replaced(good, "0.5*sin(s)", "0.5*sin(r)")), "small.yaml:11:");
  EXPECT_HOLDS(refusal(replaced(good, "s: 2*pi*t/T, swing: 0.5*sin(s)", "swing: 0.5*sin(s), s: 2*pi*t/T")), "'s' is neither");
  EXPECT_HOLDS(refusal(replaced(good, "swing: 0.5*sin(s)", "swing: sqrt(0.5 - t)")), "must be finite");
  EXPECT_HOLDS(refusal(replaced(good, "swing: 0.5*sin(s)", "pi: 3")), "'pi' cannot name a variable of formulas");
}

}  // namespace robot_design_rigs
}  // namespace holo_test
