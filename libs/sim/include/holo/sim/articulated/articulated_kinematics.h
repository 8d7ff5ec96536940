#pragma once
// Poses of an articulated model's bodies from the coordinates of its joints.

#include <array>
#include <vector>

#include "holo/sim/articulated/articulated_model.h"

namespace holo {

// Frame B of a joint in its frame A.
struct JointMotion {
  std::array<double, 2> coordinates = {0, 0};                   // of hinges, slides and universal joints, from 0 [rad or m]
  Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();  // of spherical and free joints
};
Eigen::Isometry3d motion_of(const ArticulatedJoint& joint, const JointMotion& motion);

// The motions of all bodies' joints, in the model's order.
using ArticulatedPose = std::vector<JointMotion>;
ArticulatedPose file_pose(const ArticulatedModel& model);  // all coordinates 0

// X_WB of all bodies [m], in the model's order.
std::vector<Eigen::Isometry3d> world_frames(const ArticulatedModel& model, const ArticulatedPose& pose);

// Mass properties of all bodies together, in the world frame; all 0 without mass.
MassProperties total_mass_properties(const ArticulatedModel& model, const ArticulatedPose& pose);

// Right-handed orthonormal axes from axes with rounding errors: the first keeps its direction, the second its half-plane.
Eigen::Matrix3d orthonormal(const Eigen::Matrix3d& axes);

}  // namespace holo
