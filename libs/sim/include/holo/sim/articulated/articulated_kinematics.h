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

// A motion of each body's joint, in the model's order.
using ArticulatedPose = std::vector<JointMotion>;
ArticulatedPose file_pose(const ArticulatedModel& model);  // all coordinates 0

// Frames of all bodies in the world [m].
std::vector<Eigen::Isometry3d> world_frames(const ArticulatedModel& model, const ArticulatedPose& pose);

// All bodies as one, in the world. Without mass: 0.
MassProperties total_mass_properties(const ArticulatedModel& model, const ArticulatedPose& pose);

// Axes at right angles and of length 1 again, after products.
Eigen::Matrix3d orthonormal(const Eigen::Matrix3d& axes);

}  // namespace holo
