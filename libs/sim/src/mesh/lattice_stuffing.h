#pragma once
// Isosurface stuffing of a lattice: the tetrahedra inside a signed distance's surface.

#include "holo/sim/mesh/shapes.h"
#include "mesh/body_centered_lattice.h"

namespace holo {

// The part of the lattice where `distance` is negative, cut along its surface. Without tetrahedra when there is none.
TetrahedralMesh stuff_lattice(const SignedDistance& distance, const BodyCenteredLattice& lattice);

}  // namespace holo
