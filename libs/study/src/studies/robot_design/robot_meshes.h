#pragma once
// The few meshes that a drawn robot is made of.

#include <Eigen/Core>

#include "holo/study/scene.h"

namespace holo {

// Adds to a rigid body what lies within `radius` of the line between two points [m]. `see_through`: every second strip of it.
void add_capsule_mesh(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius, bool see_through, SceneBody& body);

}  // namespace holo
