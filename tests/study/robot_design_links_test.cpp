// Robots of other programs, and orientations: in which frames the user's numbers are.
#include <fstream>
#include <sstream>
#include <vector>

#include "holo/study/study.h"
#include "small_arm.h"

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

// The tip's joint mimics the arm's: a target that both reach together is met, and one control is all there is.
TEST_F(RobotDesignLinks, AMimicFollowsItsLeader) {
  std::ofstream(folder_ / "pt.urdf") << R"(<robot name="r"><link name="base"/><link name="arm"/><link name="tip"/>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
<joint name="k" type="revolute"><origin xyz="1 0 0"/><parent link="arm"/><child link="tip"/><axis xyz="0 0 1"/>
<mimic joint="j" multiplier="-2"/></joint></robot>)";
  // With an arm and a tip of 1 m at the angles a and -a, the tip's end stays on the x axis: x = 2 cos a.
  write(tracking("  - {type: track_position, body: tip, point: [1, 0, 0], target: end}\n",
                 "  - {name: end, type: formula, formulas: [\"2*cos(0.3 + 0.2*t/T)\", \"0\", \"0\"]}\n"));
  const holo::RunOutcome outcome = run("a");
  EXPECT_EQ(metric(outcome, "mobility"), 1);
  EXPECT_EQ(metric(outcome, "converged"), 1);
  EXPECT_LT(metric(outcome, "largest_residual"), 1e-9);
  const std::string coordinates = file("a", "tables/joint_coordinates.csv");
  std::istringstream lines(coordinates);
  double leader = 0;
  int compared = 0;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    for (std::istringstream words(line); std::getline(words, line, ',');) cells.push_back(line);
    if (cells.at(3) == "j") leader = std::stod(cells.at(6));
    if (cells.at(3) != "k") continue;
    EXPECT_NEAR(std::stod(cells.at(6)), -2 * leader, 1e-9);
    ++compared;
  }
  EXPECT_EQ(compared, 12) << coordinates;
  const std::string result = file("a", "result.json");
  EXPECT_NE(result.find("\"Couplings\""), std::string::npos) << result;
  EXPECT_NE(result.find("\"-2 l\""), std::string::npos) << result;
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
