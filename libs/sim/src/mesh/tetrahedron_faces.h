#pragma once
// The faces of all tetrahedra of a mesh, side by side where they have the same corners.

#include <array>
#include <cstddef>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// Corners of the face opposite each vertex, oriented outwards for a positive element.
inline constexpr int tetrahedron_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

struct TetrahedronFace {
  std::array<int, 3> corners;  // ascending
  bool turned;                 // their order is an odd one of the outward orientation
  std::size_t number;          // 4 element + face

  std::size_t element() const { return number / 4; }
};

// Sorted by corners, then by number. `vertices[v]` stands for the vertex v of the mesh; both must be in range.
std::vector<TetrahedronFace> sorted_faces(const TetrahedralMesh& mesh, const std::vector<int>& vertices);

// The end of the faces that have the corners of faces[begin].
std::size_t end_of_same_face(const std::vector<TetrahedronFace>& faces, std::size_t begin);

// Throws Error(input) where elements overlap across a face that they share (tetrahedral_mesh.h). The elements must have passed
// the other checks of `validate`.
void check_shared_faces(const TetrahedralMesh& mesh);

}  // namespace holo
