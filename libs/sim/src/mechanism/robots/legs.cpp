#include <Eigen/Geometry>

#include "holo/sim/mechanism/model/robots.h"
#include "robot_parts.h"

namespace holo {

namespace {

constexpr JointRole driven = JointRole::actuator;

class Legs {
 public:
  explicit Legs(const PluginHost& plugins) : robot_(plugins) {}

  MechanismModel build() {
    robot_.body("base", {0, 0, 0});
    robot_.ground("base");
    robot_.body("pelvis", {0, 0, 1.0});
    for (const Side& side : {left, right}) leg(side);
    return robot_.build();
  }

 private:
  static constexpr double offset = .13;  // of a leg from the middle

  std::string on(const Side& side, const std::string& name) const { return name + "_" + side.name; }
  void single(const Side& side, const std::string& name, const std::string& from, const std::string& to, const Eigen::Vector3d& point,
              const Eigen::Vector3d& axis, JointRole role = JointRole::passive) {
    robot_.joint(on(side, name), "revolute", from, to, point, axes_along(axis), role);
  }

  void leg(const Side& side) {
    const double y = offset;
    robot_.body(on(side, "cross"), side.at(0, y, .10));
    robot_.body(on(side, "shin"), side.at(.01, y, .30));
    robot_.body(on(side, "thigh"), side.at(.01, y, .70));
    single(side, "ankle_roll", "base", on(side, "cross"), side.at(0, y, .10), along_x);
    single(side, "ankle_pitch", on(side, "cross"), on(side, "shin"), side.at(0, y, .10), along_y);
    for (const double e : {-.05, .05}) rod(side, e);
    knee(side);
    hip(side);
  }

  // A crank on the shin pushes a rod that stands on the base.
  void rod(const Side& side, double e) {
    const std::string which = e < 0 ? "inner" : "outer";
    const std::string crank = on(side, which + "_crank"), rod = on(side, which + "_rod");
    const Eigen::Vector3d axle = side.at(0, offset + e, .38), head = side.at(-.06, offset + e, .38),
                          foot = side.at(-.06, offset + 1.2 * e, .10);
    robot_.body(crank, 0.5 * (axle + head));
    robot_.body(rod, 0.5 * (head + foot));
    single(side, "ankle_" + which, on(side, "shin"), crank, axle, along_y, driven);
    robot_.joint(on(side, which + "_rod_head"), "universal", crank, rod, head, axes_along(along_y, (foot - head).cross(along_y)));
    robot_.joint(on(side, which + "_rod_foot"), "spherical", rod, "base", foot, Eigen::Matrix3d::Identity());
  }

  // A planar four-bar linkage.
  void knee(const Side& side) {
    const double y = offset;
    const Eigen::Vector3d axle = side.at(0, y, .80), upper = side.at(-.05, y, .79), lower = side.at(-.03, y, .50);
    robot_.body(on(side, "knee_crank"), 0.5 * (axle + upper));
    robot_.body(on(side, "knee_coupler"), 0.5 * (upper + lower));
    single(side, "knee_hinge", on(side, "shin"), on(side, "thigh"), side.at(.03, y, .50), along_y);
    single(side, "knee", on(side, "thigh"), on(side, "knee_crank"), axle, along_y, driven);
    single(side, "knee_upper", on(side, "knee_crank"), on(side, "knee_coupler"), upper, along_y);
    single(side, "knee_lower", on(side, "knee_coupler"), on(side, "shin"), lower, along_y);
  }

  void hip(const Side& side) {
    const Eigen::Vector3d point = side.at(0, offset, .90);
    for (const char* name : {"hip_mount", "hip_pitch_link", "hip_roll_link"}) robot_.body(on(side, name), point);
    single(side, "hip_yaw_mount", "pelvis", on(side, "hip_mount"), side.at(0, offset, 1.0), along_z, JointRole::configurable);
    single(side, "hip", on(side, "hip_mount"), on(side, "hip_pitch_link"), point, along_y, driven);
    single(side, "hip_roll", on(side, "hip_pitch_link"), on(side, "hip_roll_link"), point, along_x);
    single(side, "hip_yaw", on(side, "hip_roll_link"), on(side, "thigh"), point, along_z);
  }

  MechanismBuilder robot_;
};

}  // namespace

MechanismModel make_legs(const PluginHost& plugins) { return Legs(plugins).build(); }

}  // namespace holo
