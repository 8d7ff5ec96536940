#pragma once
// Mass properties of the solid that a closed surface mesh bounds.

#include "holo/sim/articulated/mass_properties.h"
#include "holo/sim/mesh/surface_mesh.h"

namespace holo {

// Exact sums over the signed tetrahedra of the triangles and the origin; `density` in kg/m^3. Triangles must be
// counterclockwise as seen from outside. Throws Error(input) with the mesh's source: a surface with a boundary (as
// require_surface says), a volume that is not positive, a negative density.
MassProperties mesh_mass(const SurfaceMesh& mesh, double density);

}  // namespace holo
