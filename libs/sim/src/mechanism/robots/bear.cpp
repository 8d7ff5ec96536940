#include "holo/sim/mechanism/model/robots.h"
#include "robot_parts.h"

namespace holo {

namespace {

constexpr JointRole driven = JointRole::actuator;

class Bear {
 public:
  explicit Bear(const PluginHost& plugins) : robot_(plugins) {}

  MechanismModel build() {
    robot_.body("ground", {0, 0, 0});
    robot_.ground("ground");
    robot_.body("body", {0, 0, .40});
    standing_limb("hind_left", -.25, .15);
    standing_limb("hind_right", -.25, -.15);
    standing_limb("front_left", .25, .15);
    free_limb(.25, -.15);
    return robot_.build();
  }

 private:
  void standing_limb(const std::string& name, double x, double y) {
    const Eigen::Vector3d ankle(x, y, .03), knee(x + .04, y, .20), hip(x, y, .38);
    robot_.body(name + "_lower", 0.5 * (ankle + knee));
    robot_.body(name + "_upper", 0.5 * (knee + hip));
    robot_.chain("ground", name + "_lower",
                 between_balls({hinge(name + "_ankle_y", ankle, along_y), hinge(name + "_ankle", ankle, along_x, driven)}));
    robot_.chain(name + "_lower", name + "_upper", between_balls({hinge(name + "_knee", knee, along_y, driven)}));
    robot_.chain(name + "_upper", "body",
                 between_balls({hinge(name + "_hip", hip, along_y, driven), hinge(name + "_hip_x", hip, along_x),
                                hinge(name + "_hip_z", hip, along_z)}));
  }

  void free_limb(double x, double y) {
    const Eigen::Vector3d shoulder(x, y, .38), elbow(x + .04, y, .22), wrist(x, y, .06);
    robot_.body("front_right_upper", 0.5 * (shoulder + elbow));
    robot_.body("front_right_lower", 0.5 * (elbow + wrist));
    robot_.body("paw", {.28, -.15, .04});
    robot_.chain("body", "front_right_upper", between_balls({hinge("front_right_shoulder", shoulder, along_y, driven)}));
    robot_.chain("front_right_upper", "front_right_lower", between_balls({hinge("front_right_elbow", elbow, along_y, driven)}));
    robot_.chain("front_right_lower", "paw", between_balls({hinge("front_right_wrist", wrist, along_y, driven)}));
  }


  MechanismBuilder robot_;
};

}  // namespace

MechanismModel make_bear(const PluginHost& plugins) { return Bear(plugins).build(); }

}  // namespace holo
