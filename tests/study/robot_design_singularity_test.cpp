// A design is kept away from poses at which the actuators lose the robot.
#include "small_arm.h"

namespace holo_test {
namespace robot_design_singularity {

// A slider moves a crank; at its dead center, 3.52 m from the pivot, it cannot.
const std::string yaml = R"(name: small
study: robot_design
robot:
  bodies:
    - {name: crank, origin: [0.38, 0.32, 0]}
    - {name: rod, origin: [1.37, 0.48, 0]}
    - {name: rod_end, origin: [2.59, 0.16, 0]}
    - {name: slider, origin: [3.2, 0, 0]}
  joints:
    - {name: pivot, type: revolute, between: [world, crank], point: [0, 0, 0], axis: [0, 0, 1]}
    - {name: pin, type: revolute, between: [crank, rod], point: [0.76, 0.64, 0], axis: [0, 0, 1]}
    - {name: length, type: prismatic, between: [rod, rod_end], point: [1.98, 0.32, 0], axis: [2.44, -0.64, 0], role: configurable}
    - {name: slider_pin, type: revolute, between: [rod_end, slider], point: [3.2, 0, 0], axis: [0, 0, 1]}
    - {name: rail, type: prismatic, between: [world, slider], point: [3.2, 0, 0], axis: [1, 0, 0], role: actuator}
motion: {knots: 11, duration: 1.0}
controls: [{control: rail, from: 0, to: 0.3}]
objectives:
  - {type: keep_control, control: all, weight: 1}
  - {type: smooth_control, control: all, weight: 1.0e-9}
  - {type: keep_design_parameter, design_parameter: all, weight: 1.0e-4}
)";

class RobotDesignSingularity : public SmallRuns {};
class RobotDesignSingularityBadInput : public SmallRuns {};

TEST_F(RobotDesignSingularity, APenaltyKeepsItAway) {
  const auto smallest = [&](const std::string& text, const std::string& out) {
    write(text);
    return metric(run(out), "smallest_singular_value");
  };
  const double near = smallest(yaml, "near"),
               away = smallest(yaml + "singularity: {keep_above: 0.05, weight: 100}\nsolver: {regularizer_schedule: \"off\"}\n",
                               "away");
  EXPECT_LT(near, 0.04);
  EXPECT_GT(away, 0.049);
  EXPECT_HOLDS(file("near", "result.json"), "Nearest to a singularity");
}

TEST_F(RobotDesignSingularityBadInput, NumbersOutOfRangeAreRefused) {
  EXPECT_HOLDS(refusal(yaml + "singularity: {keep_above: 0}\n"), "keep_above");
  EXPECT_HOLDS(refusal(yaml + "singularity: {keep_above: 1.5}\n"), "keep_above");
  EXPECT_HOLDS(refusal(yaml + "singularity: {weight: 1}\n"), "keep_above");
  EXPECT_HOLDS(refusal(yaml + "singularity: {keep_above: 0.1, weight: -1}\n"), "weight");
}

}  // namespace robot_design_singularity
}  // namespace holo_test
