#pragma once
// Coordinates of all joints of a mechanism along a motion, passive joints too.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

struct JointCoordinate {
  int joint = 0;
  std::string name;        // the type's: "angle", "length"; with the suffix ".w", ".x", ".y" or ".z" for a quaternion's
  std::string unit;        // "rad", "m", "1"
  Eigen::VectorXd values;  // [knot]; all NaN for a passive joint whose plugin lacks coordinates_of()
};

// The coordinates in the order of joints; all 0 (a quaternion: 1, 0, 0, 0) at rest. Angles are unwrapped, and quaternions have
// continuous signs in time within each task (motion_tasks.h). Coordinates that are unknowns of the layout (those of driven,
// coupled and free joints) are these numbers; the others follow from the poses.
std::vector<JointCoordinate> joint_coordinates(const MechanismLayout& layout, const MechanismUnknowns& motion,
                                               const std::vector<int>& task_beginnings = {});

}  // namespace holo
