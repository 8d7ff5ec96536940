#pragma once
// Description of a mesh: counts, volume and quality of its elements, for `holo describe FILE` and `holo check`.

#include <string>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// Three times the ratio of the radii [1] of a tetrahedron's inscribed and circumscribed spheres: 1 for a regular one, toward 0
// as it becomes flat.
double radius_ratio(const TetrahedralMesh& mesh, int tetrahedron);

struct MeshQuality {
  double worst = 1, median = 1;  // radius ratios
  int worst_element = 0;
};
MeshQuality mesh_quality(const TetrahedralMesh& mesh);  // of at least one tetrahedron

double total_volume(const TetrahedralMesh& mesh);  // [m^3]

// Counts, bounds, volume, quality, groups and fields, one a line.
std::string describe_mesh(const TetrahedralMesh& mesh);

}  // namespace holo
