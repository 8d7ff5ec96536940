#pragma once
// The check that surfaces begin apart from each other.

#include "holo/sim/contact/mesh_contact.h"

namespace holo {

// Throws Error(input) at `location`, with the names of both and a place, for surfaces that collide with each other and at the
// given points [3 * point] [m] of the model's start intersect, or are closer than the rounding errors of positions; and for a
// body that collides with itself and is closer to itself than the activation distance [m], since it would be under forces in
// its rest shape.
void require_separate_surfaces(const Eigen::VectorXd& points, const std::shared_ptr<const MeshContact>& contact,
                               double activation_distance, const Location& location);

}  // namespace holo
