#pragma once
// Meshes of quadratic tetrahedra: ten vertices each, the four corners and one on each edge (quadratic_map.h).

#include <array>
#include <string>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// The mesh with a vertex in the middle of each edge, after the others; values of fields on vertices are their means there, and
// a group of elements or triangles has the vertices on their edges, one of lines those between any two of its vertices that an
// edge joins, since its cells are not kept. Of a quadratic mesh: itself.
TetrahedralMesh raise_to_quadratic(TetrahedralMesh mesh);

// The four vertices of an element, or ten: the corners, then those of the edges.
std::vector<int> element_vertices(const TetrahedralMesh& mesh, std::size_t element);

// The tetrahedra as linear ones between all vertices: eight for each quadratic element, in its order; the mesh's own otherwise.
std::vector<std::array<int, 4>> linear_cells(const TetrahedralMesh& mesh);

// Throws Error(input) for a quadratic mesh: "MESH: WHAT needs linear tetrahedra, ...".
void require_linear(const TetrahedralMesh& mesh, const std::string& what);

}  // namespace holo
