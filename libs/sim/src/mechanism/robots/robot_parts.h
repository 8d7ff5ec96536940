#pragma once
// What the demonstrators' chains are made of.

#include "holo/sim/mechanism/model/mechanism_builder.h"

namespace holo {

inline const Eigen::Vector3d along_x(1, 0, 0), along_y(0, 1, 0), along_z(0, 0, 1);

// +1 "left", -1 "right": y is the side's.
struct Side {
  std::string name;
  double sign;
  Eigen::Vector3d at(double x, double y, double z) const { return {x, sign * y, z}; }
};
inline const Side left{"left", 1}, right{"right", -1};

inline ChainJoint hinge(const std::string& name, const Eigen::Vector3d& point, const Eigen::Vector3d& axis,
                        JointRole role = JointRole::passive) {
  return {name, "revolute", point, axes_along(axis), role};
}
inline ChainJoint configurable_ball(const std::string& name, const Eigen::Vector3d& point) {
  return {name, "spherical", point, Eigen::Matrix3d::Identity(), JointRole::configurable};
}

// Each joint between configurable balls: one before, one behind, one between each two.
inline std::vector<ChainJoint> between_balls(const std::vector<ChainJoint>& joints) {
  std::vector<ChainJoint> result;
  for (const ChainJoint& joint : joints) {
    if (result.empty()) result.push_back(configurable_ball(joint.name + "_mount", joint.point));
    result.push_back(joint);
    result.push_back(configurable_ball(joint.name + "_end", joint.point));
  }
  return result;
}

}  // namespace holo
