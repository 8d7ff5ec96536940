#include <cmath>

#include "holo/core/error.h"
#include "holo/sim/mechanism/model/robots.h"
#include "robot_parts.h"

namespace holo {

namespace {

constexpr JointRole driven = JointRole::actuator;

class Biker {
 public:
  explicit Biker(const PluginHost& plugins) : robot_(plugins) {}

  MechanismModel build() {
    robot_.body("frame", {0, 0, 1});
    robot_.ground("frame");
    robot_.body("crank", {0, 0, .6});
    robot_.body("bar", {1.2, 0, 2});
    robot_.body("pelvis", {-.5, 0, 1.7});
    robot_.body("torso", {0, 0, 2.4});
    trunk();
    for (const Side& side : {left, right}) leg(side), arm(side);
    return robot_.build();
  }

 private:
  void trunk() {
    const Eigen::Vector3d pedals(0, 0, .6), saddle(-.5, 0, 1.5);
    robot_.chain("frame", "crank", {configurable_ball("crank_mount", pedals), hinge("crank", pedals, along_y, driven)});
    robot_.chain("frame", "bar",
                 {configurable_ball("steering_mount", {1.1, 0, 1.6}), hinge("steering", {1.1, 0, 1.6}, {-.3, 0, 1}, driven),
                  configurable_ball("bar_mount", {1.1, 0, 1.8})});
    robot_.chain("frame", "pelvis", between_balls({hinge("saddle", saddle, along_y)}));
    robot_.joint("waist", "spherical", "pelvis", "torso", {-.45, 0, 1.9}, Eigen::Matrix3d::Identity());
  }

  // Where thigh and shin of equal length meet, in front.
  static Eigen::Vector3d knee_between(const Eigen::Vector3d& hip, const Eigen::Vector3d& ankle, double length) {
    Eigen::Vector3d across = ankle - hip;
    across.y() = 0;
    const Eigen::Vector3d middle = 0.5 * (hip + ankle);
    const double height = std::sqrt(length * length - 0.25 * (ankle - hip).squaredNorm());
    Eigen::Vector3d forward(-across.z(), 0, across.x());
    if (forward.x() < 0) forward = -forward;
    return middle + height * forward.normalized();
  }

  void leg(const Side& side) {
    const std::string on = "_" + side.name;
    const Eigen::Vector3d pedal(.2 * side.sign, .35 * side.sign, .6), ankle = pedal + Eigen::Vector3d(-.2, 0, .15),
                          hip(-.5, .3 * side.sign, 1.8), knee = knee_between(hip, ankle, .85);
    robot_.body("foot" + on, 0.5 * (pedal + ankle));
    robot_.body("shin" + on, 0.5 * (ankle + knee));
    robot_.body("thigh" + on, 0.5 * (knee + hip));
    robot_.chain("crank", "foot" + on, between_balls({hinge("pedal" + on, pedal, along_y)}));
    robot_.chain("foot" + on, "shin" + on, {hinge("ankle" + on, ankle, along_x), configurable_ball("ankle_mount" + on, ankle)});
    robot_.chain("shin" + on, "thigh" + on, {hinge("knee" + on, knee, along_y), configurable_ball("knee_mount" + on, knee)});
    robot_.joint("hip" + on, "spherical", "thigh" + on, "torso", hip, Eigen::Matrix3d::Identity());
  }

  void arm(const Side& side) {
    const std::string on = "_" + side.name;
    const Eigen::Vector3d hand = side.at(1.2, .6, 2.1), elbow = side.at(.6, .8, 2.2), shoulder = side.at(.1, .45, 2.9);
    robot_.chain("bar", "torso",
                 between_balls({hinge("hand" + on, hand, side.at(-.7, -1, .6)), hinge("wrist" + on, hand, side.at(1, .9, .8)),
                                hinge("elbow" + on, elbow, side.at(-.9, -.4, -.7)),
                                hinge("shoulder" + on, shoulder, side.at(-.8, -.5, .9))}));
  }

  MechanismBuilder robot_;
};

}  // namespace

MechanismModel make_biker(const PluginHost& plugins) { return Biker(plugins).build(); }

}  // namespace holo
