#pragma once
// Contact of bodies with what is not themselves: what decides whether a body that also collides with itself stands or flies.

#include <Eigen/Core>
#include <limits>

#include "holo/sim/contact/scene_contact.h"

namespace holo {

struct ContactWithOthers {
  // Between a body and an obstacle or another body [m]. Of surfaces that are meshes, gaps above `reach` count as +infinity.
  double smallest_gap = std::numeric_limits<double>::infinity();
  int touching_vertices = 0;  // of bodies, in pairs within the activation distance
};

// At positions [3 * vertex] [m], with the obstacles at their places at `time` [s]. `reach` [m] is at least the activation
// distance.
ContactWithOthers contact_with_others(const SceneContact& contact, const Eigen::VectorXd& positions, double time, double reach);

}  // namespace holo
