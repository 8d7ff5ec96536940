#pragma once
// Solids of an experiment's `mesh:` section.

#include <array>

#include "holo/core/configuration.h"
#include "holo/sim/mesh/shapes.h"

namespace holo {

// Signed distance of a solid [m], and a box that contains it.
struct Solid {
  SignedDistance distance;  // empty after a problem, which has been recorded
  BoundingBox box;
};

// Each reads the parameters of one solid from a section; what is not allowed is recorded there as a problem.
Solid read_sphere(Configuration& parameters);
Solid read_ellipsoid(Configuration& parameters);
Solid read_capsule(Configuration& parameters);
Solid read_round_cone(Configuration& parameters);
Solid read_cylinder(Configuration& parameters);
Solid read_cone(Configuration& parameters);
Solid read_box(Configuration& parameters);
Solid read_composition(Configuration& parameters);  // a list of the others, each joined, cut or intersected

// The parameter `size`, the edges of a box [m].
std::array<double, 3> read_box_size(Configuration& parameters);

}  // namespace holo
