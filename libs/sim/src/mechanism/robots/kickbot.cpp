#include "holo/sim/mechanism/robots.h"
#include "robot_parts.h"

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
    for (const Side& side : {left, right}) {
      robot_.body("foot_" + side.name, side.at(.02, .10, .02));
      robot_.body("shin_" + side.name, side.at(0, .1, .18));
      robot_.body("thigh_" + side.name, side.at(0, .1, .42));
    }
    robot_.body("pelvis", {0, 0, .58});
    if (configurable_) robot_.body("torso", {0, 0, .75});
    robot_.body("head", {0, 0, 1.0});
    for (const Side& side : {left, right}) {
      robot_.body("upper_arm_" + side.name, side.at(0, .19, .76));
      if (configurable_) robot_.body("forearm_" + side.name, side.at(.02, .21, .58));
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
    const Eigen::Vector3d ankle = left.at(0, .1, .06), knee = left.at(.005, .1, .30), hip = left.at(0, .1, .54);
    group("foot_left", "shin_left", {hinge("ankle_left_x", ankle, along_x, driven), hinge("ankle_left_y", ankle, along_y, driven)});
    single("knee_left", "shin_left", "thigh_left", knee, along_y, driven);
    group("thigh_left", "pelvis", {hinge("hip_left_y", hip, along_y, driven), hinge("hip_left_x", hip, along_x, driven)});
  }

  void leg_right() {
    const Eigen::Vector3d ankle = right.at(0, .1, .06), knee = right.at(.005, .1, .30), hip = right.at(0, .1, .54);
    group("pelvis", "thigh_right", {hinge("hip_right_x", hip, along_x, driven), hinge("hip_right_y", hip, along_y, driven)});
    single("knee_right", "thigh_right", "shin_right", knee, along_y, driven);
    group("shin_right", "foot_right", {hinge("ankle_right_y", ankle, along_y, driven), hinge("ankle_right_x", ankle, along_x, driven)});
  }

  // Without configurable joints pelvis and torso are one body, and so are the parts of each arm.
  void upper_body() {
    const std::string torso = configurable_ ? "torso" : "pelvis";
    if (configurable_) robot_.chain("pelvis", "torso", {configurable_ball("waist", {0, 0, .64})});
    const Eigen::Vector3d neck(0, 0, .90);
    group(torso, "head", {hinge("neck_z", neck, along_z, driven), hinge("neck_y", neck, along_y, driven)});
    for (const Side& side : {left, right}) {
      group(torso, "upper_arm_" + side.name, {hinge("shoulder_" + side.name, side.at(0, .16, .84), along_y, driven)});
      if (configurable_)
        single("elbow_" + side.name, "upper_arm_" + side.name, "forearm_" + side.name, side.at(0, .20, .68), along_y,
               JointRole::configurable);
    }
  }

  MechanismBuilder robot_;
  bool configurable_;
};

}  // namespace

MechanismModel make_kickbot(const PluginHost& plugins, bool configurable) { return Kickbot(plugins, configurable).build(); }

}  // namespace holo
