// Robots of other programs, and orientations: in which frames the user's numbers are.
#include "holo/study/study.h"
#include "small_lamp.h"

namespace holo_test {
namespace robot_design_links {

class RobotDesignLinks : public SmallRuns {
 protected:
  // A link whose frame is turned by a right angle at rest, with a tip half a meter along its x.
  void write_robot() {
    std::ofstream(folder_ / "pt.urdf") << R"(<robot name="r"><link name="base"/><link name="arm"/><link name="tip"/>
<joint name="j" type="revolute"><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><parent link="base"/><child link="arm"/>
<axis xyz="0 0 1"/></joint>
<joint name="k" type="fixed"><origin xyz="0.5 0 0"/><parent link="arm"/><child link="tip"/></joint></robot>)";
  }

  static std::string tracking(const std::string& objectives, const std::string& targets) {
    return R"(name: links
study: robot_design
robot: {file: pt.urdf, actuators: [j]}
motion: {knots: 6, duration: 1.0}
controls: [{control: j, from: 0, to: 0.6}]
signals:
)" + targets +
           "objectives:\n" + objectives + R"(  - {type: keep_control, control: all, weight: 1.0}
  - {type: smooth_control, control: all, weight: 1.0e-6}
)";
  }
};
class RobotDesignLinksBadInput : public RobotDesignLinks {};

TEST_F(RobotDesignLinks, PointsAndOrientationsAreInTheLinksFrame) {
  write_robot();
  write(
      tracking("  - {type: track_position, body: arm, point: [0.5, 0, 0], target: tip}\n"
               "  - {type: track_orientation, body: arm, target: turned}\n",
               "  - {name: tip, type: recorded, body: tip}\n"
               "  - {name: turned, type: formula, quantity: orientation, axis: [0, 0, 1], formula: pi/2 + 0.6*t/T}\n"));
  const holo::RunOutcome outcome = run("a");
  EXPECT_LT(metric(outcome, "position_error_maximum_initial"), 1e-12);
  EXPECT_LT(metric(outcome, "orientation_error_maximum_initial"), 1e-7) << "the angle of a rounded quaternion";
  EXPECT_EQ(metric(outcome, "passed_dead_points"), 0);
}

TEST_F(RobotDesignLinks, AQuaternionOfRoundedDigitsIsOfLengthOne) {
  write_robot();
  write(tracking("  - {type: track_orientation, body: arm, target: [0.7071, 0, 0, 0.7071]}\n", "  []\n"));
  EXPECT_LT(metric(run("a"), "orientation_error_minimum_initial"), 1e-7);
}

TEST_F(RobotDesignLinksBadInput, QuaternionsOfOtherLengthsAreRefused) {
  write_robot();
  const auto with = [&](const std::string& quaternion) {
    return tracking("  - {type: track_orientation, body: arm, target: " + quaternion + "}\n", "  []\n");
  };
  EXPECT_HOLDS(refusal(with("[0, 0, 0, 0]")), "the quaternion (w, x, y, z) has the length 0; it must be 1 to 1e-3");
  EXPECT_HOLDS(refusal(with("[2, 0, 0, 0]")),
               "has the length 2; it must be 1 to 1e-3. Of length 1 in the same direction: [1, 0, 0, 0]");
}

TEST_F(RobotDesignLinksBadInput, ABodyMayNotBeCalledWorld) {
  EXPECT_HOLDS(refusal(R"(name: links
study: robot_design
robot:
  bodies: [{name: world, origin: [0, 0, 0]}]
  joints: [{name: j, type: revolute, between: [world, world], point: [0, 0, 0], role: actuator}]
motion: {knots: 6, duration: 1.0}
objectives: [{type: keep_control, control: all}]
)"),
               "a body is called 'world', which is the name of the ground");
}

}  // namespace robot_design_links
}  // namespace holo_test
