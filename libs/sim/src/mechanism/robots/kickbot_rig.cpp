#include "holo/sim/mechanism/model/robots.h"
#include "kickbot_skeleton.h"

namespace holo {

namespace {

constexpr JointRole driven = JointRole::actuator;

// Three hinges at one place: R = R_x R_y R_z of the second body against the first.
void ball(MechanismBuilder& rig, const std::string& name, const std::string& from, const std::string& to,
          const Eigen::Vector3d& point) {
  rig.chain(from, to,
            {hinge(name + "_x", point, along_x, driven), hinge(name + "_y", point, along_y, driven),
             hinge(name + "_z", point, along_z, driven)});
}

void bend(MechanismBuilder& rig, const std::string& name, const std::string& from, const std::string& to,
          const Eigen::Vector3d& point) {
  rig.joint(name, "revolute", from, to, point, axes_along(along_y), driven);
}

void upper_body(MechanismBuilder& rig) {
  rig.body("pelvis", skeleton::pelvis);
  rig.body("torso", skeleton::torso);
  rig.body("head", skeleton::head);
  rig.joint("waist", "fixed", "pelvis", "torso", skeleton::waist, Eigen::Matrix3d::Identity());
  ball(rig, "neck", "torso", "head", skeleton::neck);
  for (const Side& side : {left, right}) {
    const std::string on = "_" + side.name;
    rig.body("upper_arm" + on, skeleton::upper_arm(side));
    rig.body("forearm" + on, skeleton::forearm(side));
    ball(rig, "shoulder" + on, "torso", "upper_arm" + on, skeleton::shoulder(side));
    bend(rig, "elbow" + on, "upper_arm" + on, "forearm" + on, skeleton::elbow(side));
  }
}

}  // namespace

MechanismModel make_kickbot_rig(const PluginHost& plugins) {
  MechanismBuilder rig(plugins);
  add_legs(rig);
  upper_body(rig);
  rig.ground("foot_left");
  ball(rig, "ankle_left", "foot_left", "shin_left", skeleton::ankle(left));
  bend(rig, "knee_left", "shin_left", "thigh_left", skeleton::knee(left));
  ball(rig, "hip_left", "thigh_left", "pelvis", skeleton::hip(left));
  ball(rig, "hip_right", "pelvis", "thigh_right", skeleton::hip(right));
  bend(rig, "knee_right", "thigh_right", "shin_right", skeleton::knee(right));
  ball(rig, "ankle_right", "shin_right", "foot_right", skeleton::ankle(right));
  return rig.build();
}

}  // namespace holo
