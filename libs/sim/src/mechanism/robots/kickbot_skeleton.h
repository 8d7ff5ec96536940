#pragma once
// Where the parts of Kickbot and of the rig that leads it are at rest [m]; 1.05 m high.

#include "robot_parts.h"

namespace holo {

namespace skeleton {

inline const Eigen::Vector3d pelvis(0, 0, .58), waist(0, 0, .64), torso(0, 0, .75), neck(0, 0, .90), head(0, 0, 1.0);

inline Eigen::Vector3d ankle(const Side& side) { return side.at(0, .1, .06); }
inline Eigen::Vector3d knee(const Side& side) { return side.at(.005, .1, .30); }
inline Eigen::Vector3d hip(const Side& side) { return side.at(0, .1, .54); }
inline Eigen::Vector3d shoulder(const Side& side) { return side.at(0, .16, .84); }
inline Eigen::Vector3d elbow(const Side& side) { return side.at(0, .20, .68); }
inline Eigen::Vector3d upper_arm(const Side& side) { return side.at(0, .19, .76); }
inline Eigen::Vector3d forearm(const Side& side) { return side.at(.02, .21, .58); }

}  // namespace skeleton

inline void add_legs(MechanismBuilder& robot) {
  for (const Side& side : {left, right}) {
    robot.body("foot_" + side.name, side.at(.02, .10, .02));
    robot.body("shin_" + side.name, side.at(0, .1, .18));
    robot.body("thigh_" + side.name, side.at(0, .1, .42));
  }
}

}  // namespace holo
