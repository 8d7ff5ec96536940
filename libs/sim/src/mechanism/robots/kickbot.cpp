#include "holo/sim/mechanism/model/robots.h"
#include "kickbot_skeleton.h"

namespace holo {

namespace {

constexpr JointRole driven = JointRole::actuator;

class Kickbot {
 public:
  Kickbot(const PluginHost& plugins, bool configurable) : robot_(plugins), configurable_(configurable) {}

  MechanismModel build() {
    bodies();
    robot_.ground("foot_left");
    leg_left();
    leg_right();
    upper_body();
    return robot_.build();
  }

 private:
  void bodies() {
    add_legs(robot_);
    robot_.body("pelvis", skeleton::pelvis);
    if (configurable_) robot_.body("torso", skeleton::torso);
    robot_.body("head", skeleton::head);
    for (const Side& side : {left, right}) {
      robot_.body("upper_arm_" + side.name, skeleton::upper_arm(side));
      if (configurable_) robot_.body("forearm_" + side.name, skeleton::forearm(side));
    }
  }

  // A group of hinges at one place, each with its balls where they are to be configured.
  void group(const std::string& from, const std::string& to, const std::vector<ChainJoint>& hinges) {
    robot_.chain(from, to, configurable_ ? between_balls(hinges) : hinges);
  }
  void single(const std::string& name, const std::string& from, const std::string& to, const Eigen::Vector3d& point,
              const Eigen::Vector3d& axis, JointRole role) {
    robot_.joint(name, "revolute", from, to, point, axes_along(axis), role);
  }

  void leg_left() {
    const Eigen::Vector3d ankle = skeleton::ankle(left), knee = skeleton::knee(left), hip = skeleton::hip(left);
    group("foot_left", "shin_left",
          {hinge("ankle_left_x", ankle, along_x, driven), hinge("ankle_left_y", ankle, along_y, driven)});
    single("knee_left", "shin_left", "thigh_left", knee, along_y, driven);
    group("thigh_left", "pelvis", {hinge("hip_left_y", hip, along_y, driven), hinge("hip_left_x", hip, along_x, driven)});
  }

  void leg_right() {
    const Eigen::Vector3d ankle = skeleton::ankle(right), knee = skeleton::knee(right), hip = skeleton::hip(right);
    group("pelvis", "thigh_right", {hinge("hip_right_x", hip, along_x, driven), hinge("hip_right_y", hip, along_y, driven)});
    single("knee_right", "thigh_right", "shin_right", knee, along_y, driven);
    group("shin_right", "foot_right",
          {hinge("ankle_right_y", ankle, along_y, driven), hinge("ankle_right_x", ankle, along_x, driven)});
  }

  // Without configurable joints pelvis and torso are one body, and so are the parts of each arm.
  void upper_body() {
    const std::string torso = configurable_ ? "torso" : "pelvis";
    if (configurable_) robot_.chain("pelvis", "torso", {configurable_ball("waist", skeleton::waist)});
    group(torso, "head", {hinge("neck_z", skeleton::neck, along_z, driven), hinge("neck_y", skeleton::neck, along_y, driven)});
    for (const Side& side : {left, right}) {
      group(torso, "upper_arm_" + side.name, {hinge("shoulder_" + side.name, skeleton::shoulder(side), along_y, driven)});
      if (configurable_)
        single("elbow_" + side.name, "upper_arm_" + side.name, "forearm_" + side.name, skeleton::elbow(side), along_y,
               JointRole::configurable);
    }
  }

  MechanismBuilder robot_;
  bool configurable_;
};

}  // namespace

MechanismModel make_kickbot(const PluginHost& plugins, bool configurable) { return Kickbot(plugins, configurable).build(); }

}  // namespace holo
