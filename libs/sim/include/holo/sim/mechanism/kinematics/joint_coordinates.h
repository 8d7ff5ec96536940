#pragma once
// The coordinates of all joints of a mechanism along a motion, passive joints too.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

struct JointCoordinate {
  int joint = 0;
  std::string name;        // of the type: "angle", "length"; a quaternion's four have ".w", ".x", ".y", ".z" behind it
  std::string unit;        // "rad", "m", "1"
  Eigen::VectorXd values;  // [knot]; all NaN for a passive joint whose type cannot tell its coordinates from poses
};

// In the order of joints and of their coordinates; all 0 (a quaternion: 1, 0, 0, 0) at rest. Angles are unwrapped and
// quaternions sign-continuous in time but where a task of the motion begins (motion_tasks.h). Coordinates that are unknowns of
// the layout (those of driven, coupled and free joints) are these numbers; the others follow from the poses.
std::vector<JointCoordinate> joint_coordinates(const MechanismLayout& layout, const MechanismUnknowns& motion,
                                               const std::vector<int>& task_beginnings = {});

}  // namespace holo
