// Robots in YAML of their own: what is wrong in them is told with the place in the robot's file.
#include "holo/core/error.h"
#include "holo/sim/mechanism/model/robot_file.h"
#include "mechanism_files_tools.h"

namespace holo::robot_file_tests {

using namespace mechanism_files_tools;

const std::string arm = R"(bodies:
  - {name: arm, origin: [0.1, 0, 0]}
joints:
  - {name: shoulder, type: revolute, between: [world, arm], point: [0, 0, 0], axis: [0, 0, 2], role: actuator}
)";

std::string robot_refusal(const std::string& find, const std::string& put) {
  const Folder folder;
  std::string text = arm;
  text.replace(text.find(find), find.size(), put);
  try {
    read_robot(folder.write("arm.yaml", text), plugins());
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  ADD_FAILURE() << "accepted:\n" << text;
  return "";
}

TEST(RobotFile, HoldsBodiesAndJointsAsAnExperimentDoes) {
  const Folder folder;
  const MechanismModel model = read_robot(folder.write("arm.yaml", arm), plugins());
  ASSERT_EQ(model.joints().size(), 1u);
  EXPECT_EQ(model.bodies()[0].origin, Eigen::Vector3d(0.1, 0, 0));
  EXPECT_EQ(model.joints()[0].role, JointRole::actuator);
  EXPECT_EQ(model.joints()[0].axes.col(0), Eigen::Vector3d::UnitZ());
}

TEST(RobotFileBadInput, ProblemsAreToldWithTheirPlaceInTheRobotsFile) {
  const auto says = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << "found: " << message;
  };
  says(robot_refusal("type: revolute", "type: revolut"), "arm.yaml:4:");
  says(robot_refusal("type: revolute", "type: revolut"), "Did you mean 'revolute'?");
  says(robot_refusal("[world, arm]", "[world, arn]"), "no body 'arn'. Did you mean 'arm'?");
  says(robot_refusal("joints:", "frozen: [shoulder]\njoints:"), "frozen");
  says(robot_refusal("[world, arm]", "[arm, arm]"), "arm.yaml: ");
}

}  // namespace holo::robot_file_tests
