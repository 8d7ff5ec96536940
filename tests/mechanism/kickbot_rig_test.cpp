// The rig that leads Kickbot: a tree of hinges, whose bodies turn by the product of their rotations.
#include <gtest/gtest.h>

#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace kickbot_rig {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Posed {
  std::shared_ptr<const MechanismModel> model = std::make_shared<const MechanismModel>(oracle::paper_robot("kickbot_rig"));
  MechanismLayout layout{model};
  Eigen::MatrixXd controls = Eigen::MatrixXd::Zero(layout.control_count(), 2);

  double& angle(const std::string& name) {
    const auto& names = layout.control_names();
    const auto at = std::find(names.begin(), names.end(), name);
    EXPECT_NE(at, names.end()) << name;
    return controls(at - names.begin(), 1);
  }
  Matrix3d set(const std::string& joint, double x, double y, double z) {
    angle(joint + "_x") = x, angle(joint + "_y") = y, angle(joint + "_z") = z;
    return turn(x, along_x()) * turn(y, along_y()) * turn(z, along_z());
  }
  Matrix3d bend(const std::string& joint, double y) {
    angle(joint) = y;
    return turn(y, along_y());
  }
  static Matrix3d turn(double angle, const Vector3d& axis) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }
  static Vector3d along_x() { return Vector3d::UnitX(); }
  static Vector3d along_y() { return Vector3d::UnitY(); }
  static Vector3d along_z() { return Vector3d::UnitZ(); }
};

TEST(KickbotRig, TurnsByTheProductOfItsJoints) {
  Posed rig;
  const Matrix3d pelvis = rig.set("ankle_left", -.1, .2, .3) * rig.bend("knee_left", .15) * rig.set("hip_left", .1, -.2, .25);
  const Matrix3d thigh = pelvis * rig.set("hip_right", -.2, .4, -.1), shin = thigh * rig.bend("knee_right", .5),
                 foot = shin * rig.set("ankle_right", .1, .2, .1), head = pelvis * rig.set("neck", .1, .2, -.3),
                 arm = pelvis * rig.set("shoulder_left", .4, -.5, .2), hand = arm * rig.bend("elbow_left", -.5);
  const MechanismMotion motion = make_motion(rig.model, rig.controls, Eigen::VectorXd(0), Eigen::MatrixXd(0, 2));
  EXPECT_EQ(motion.elimination.mobility, 25);
  const auto at = [&](const std::string& body, const Vector3d& point) {
    return point_of(*rig.model, motion.states.col(1), rig.model->body(body), point);
  };
  for (const auto& [body, expected] : {std::pair<std::string, Matrix3d>{"pelvis", pelvis},
                                       {"torso", pelvis},
                                       {"shin_right", shin},
                                       {"foot_right", foot},
                                       {"head", head},
                                       {"forearm_left", hand}})
    for (int i = 0; i < 3; ++i)
      EXPECT_LT((at(body, Vector3d::Unit(i)) - at(body, Vector3d::Zero()) - expected.col(i)).norm(), 1e-10) << body << i;
  // From the shoulder 0.04 m outwards and 0.16 m down to the elbow.
  const Vector3d shoulder = at("torso", {0, .16, .84 - .75});
  EXPECT_LT((at("forearm_left", {-.02, -.01, .1}) - shoulder - arm * Vector3d(0, .04, -.16)).norm(), 1e-10);
}

}  // namespace kickbot_rig
}  // namespace holo
