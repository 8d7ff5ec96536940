#pragma once
// A mechanism with its design and motion as an articulated model, which robot_writer.h writes for other programs.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/articulated/articulated_kinematics.h"
#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

struct ExportedRobot {
  ArticulatedModel model;              // at the coordinates 0: the pose of the first knot
  std::vector<ArticulatedPose> poses;  // [knot]
};

// The mechanism in a motion `states` [state_count][knot], in the layout's units. Configurable joints are fixed as the design
// has them. Fixed and spherical joints close the loops; another joint that has to is put between a body of its own, JOINT_link,
// and its parent, and that body is fixed to the joint's other body. Joints with several coordinates become chains. The
// references of hinges and slides are their coordinates at the first knot, counted from the mechanism's rest; angles are
// unwrapped. Bodies have no masses; thin cylinders between the joints show them. Throws Error(input) for joints of other types
// than fixed, revolute, prismatic, cylindrical, universal, cartesian, spherical and free, and for a free joint between two
// bodies.
ExportedRobot exported_robot(const MechanismModel& model, const Eigen::MatrixXd& states);

}  // namespace holo
