#pragma once
// Tetrahedra of order 1 (4 vertices) and 2 (10 vertices), as the readers append them to a mesh.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// A file names the six vertices on edges behind the four corners. Of each edge in the order of `tetrahedron_edges` (01 12 20 03
// 13 23): the place of its vertex among the six.
using EdgeOrder = std::array<int, 6>;
// VTK's file formats, cell type 24. Medit's "TetrahedraP2", as libMeshb's programs and gmsh write it.
inline constexpr EdgeOrder vtk_edge_order = {0, 1, 2, 3, 4, 5};
// gmsh's reference manual, "Node ordering", Tetrahedron10: 01 12 20 03 23 13.
inline constexpr EdgeOrder gmsh_edge_order = {0, 1, 2, 3, 5, 4};
// TetGen 1.5, switch -o2: 23 03 01 12 13 02.
inline constexpr EdgeOrder tetgen_edge_order = {2, 3, 5, 1, 4, 0};

// Whether a tetrahedron of so many vertices has the order of those that the mesh has.
bool has_order_of(const TetrahedralMesh& mesh, std::size_t vertices);

// The refusal of a tetrahedron that has not. `element` names it, `first` the mesh's first.
std::string mixed_orders(const std::string& element, std::size_t vertices, const std::string& first);

// Appends a tetrahedron of 4 or 10 vertices, of the order of those before.
void append_tetrahedron(TetrahedralMesh& mesh, std::span<const int> vertices, const EdgeOrder& order);

// The corners of a tetrahedron of the mesh, then the vertices on its edges.
std::vector<int> vertices_of_tetrahedron(const TetrahedralMesh& mesh, std::size_t tetrahedron);

}  // namespace holo
