#pragma once
// The motion of a mechanism's joint as successive hinges and slides.

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

struct JointPrimitive {
  std::string type;            // revolute, prismatic, spherical, free or fixed
  std::string suffix;          // of its name, "" if it is the joint's only one
  Eigen::Vector3d axis;        // of hinges and slides, in the joint's frame
  std::vector<double> values;  // [knot] of hinges and slides [rad or m]; angles are unwrapped
};

// The primitives from the parent's frame to the child's. `motions` [knot]: frame B of the joint in frame A. A joint is reversed
// if its body A is the child. Throws Error(input) for joints of other types.
std::vector<JointPrimitive> joint_primitives(const MechanismJoint& joint, bool is_reversed,
                                             const std::vector<Eigen::Isometry3d>& motions);

// Frame B in frame A, of a hinge or slide at `value`.
Eigen::Isometry3d primitive_motion(const JointPrimitive& primitive, double value);

}  // namespace holo
