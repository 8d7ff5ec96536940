#pragma once
// Meshes of a drawn robot.

#include <Eigen/Core>

#include "holo/study/scene.h"

namespace holo {

// Adds the capsule of `radius` around the segment between two points [m] to a rigid body. `see_through`: only every second
// strip.
void add_capsule_mesh(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius, bool see_through, SceneBody& body);

}  // namespace holo
