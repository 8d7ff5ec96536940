// Joints that give nothing but their motion have the mobility of their coordinates when they are driven.
#include <gtest/gtest.h>

#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace own_joint_mobility {

const PluginHost& plugins() {
  static const PluginHost host({HOLO_BINARY_DIR "/plugins", HOLO_BINARY_DIR "/tests/mechanism/own_joints"});
  return host;
}

int mobility(const std::string& type, const std::string& second_type = "") {
  MechanismBuilder builder(plugins());
  builder.body("plate", {0.5, 0, 0});
  builder.joint("drive", type, "", "plate", Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity(), JointRole::actuator);
  if (!second_type.empty()) {
    builder.body("tool", {1, 0, 0});
    builder.joint("wrist", second_type, "plate", "tool", {1, 0, 0}, Eigen::Matrix3d::Identity(), JointRole::actuator);
  }
  const auto model = std::make_shared<const MechanismModel>(builder.build());
  const MechanismLayout layout(model);
  return make_motion(model, layout.rest_controls().replicate(1, 3), Eigen::VectorXd(0), Eigen::MatrixXd(0, 3))
      .elimination.mobility;
}

TEST(OwnJointMobility, IsTheNumberOfTheMotionsFreedoms) {
  EXPECT_EQ(mobility("planar"), 3);
  EXPECT_EQ(mobility("free"), 6) << "a quaternion has three";
  EXPECT_EQ(mobility("revolute"), 1);
  EXPECT_EQ(mobility("planar", "revolute"), 4);
  EXPECT_EQ(mobility("revolute", "planar"), 4);
}

}  // namespace own_joint_mobility
}  // namespace holo
