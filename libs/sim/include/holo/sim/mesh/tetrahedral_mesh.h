#pragma once
// A mesh of tetrahedra, linear or quadratic.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "holo/sim/mesh/mesh_data.h"
#include "holo/sim/mesh/other_cells.h"

namespace holo {

struct TetrahedralMesh {
  std::vector<std::array<double, 3>> vertices;  // rest positions [m]
  std::vector<std::array<int, 4>> tetrahedra;   // corners, vertex indices from 0; det[x1-x0, x2-x0, x3-x0] > 0
  // Of quadratic tetrahedra (quadratic_tetrahedra.h): of each the vertices on its edges, in the order of `tetrahedron_edges`,
  // near their middles. Empty: linear ones.
  std::vector<std::array<int, 6>> edge_vertices;
  std::vector<std::int64_t> element_names;  // the file's own number of each tetrahedron (element_number); empty: index
  std::vector<int> regions;                 // the file's tag of each tetrahedron; empty: none
  std::vector<MeshGroup> groups;            // named parts, of a file
  std::vector<MeshField> fields;            // named values on vertices or tetrahedra, of a file
  std::string source;                       // file or shape, for messages
  OtherCells other_cells;                   // of the file; only those of surfaces are allowed, and not simulated
  std::int64_t unused_vertices = 0;         // of the file, in no tetrahedron; they have been removed

  bool is_quadratic() const { return !edge_vertices.empty(); }
};

// Corners of the edges, in the order of `edge_vertices`.
inline constexpr int tetrahedron_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

// Checks the requirements of a simulation: at least one tetrahedron, no volume cells of other shapes, indices in range, finite
// coordinates, no vertex twice in an element, positive volumes, no degenerate elements (volume below 1e-12 of the cube of the
// longest edge), and elements with a common face on opposite sides of it. Vertices at the same position count as one for the
// last check, so that two bodies may touch but not coincide. Quadratic elements need a positive determinant of their map
// everywhere, which is shown by bounds, and one vertex on each edge, the same in all elements at it. Throws Error(input) with
// the source, the first bad element (its number in the file), its fault, and the number of further ones.
void validate(const TetrahedralMesh& mesh);

// Vertices that no tetrahedron uses are removed, from groups and fields too, and added to `unused_vertices`; returns how many
// there were.
int remove_unused_vertices(TetrahedralMesh& mesh);

// The vertex that was `v` becomes `new_index[v]` in elements, groups and fields; -1, of a vertex of no element: it is removed
// from groups and fields. The vertices themselves stay as they are.
void renumber_vertices(TetrahedralMesh& mesh, const std::vector<int>& new_index);

// det[x1-x0, x2-x0, x3-x0] / 6 [m^3], for a quadratic element the integral of the determinant of its map; positive in a mesh
// that `validate` accepts.
double signed_volume(const TetrahedralMesh& mesh, int tetrahedron);

// The number of a tetrahedron in the mesh's file, for messages; its index where the file gives none.
std::int64_t element_number(const TetrahedralMesh& mesh, std::size_t tetrahedron);

// Triangles on the boundary, oriented outwards, as vertex indices; four of each face of a quadratic element, between its
// vertices.
std::vector<std::array<int, 3>> boundary_triangles(const TetrahedralMesh& mesh);

// Appends the triangles of a face of an element: the one between its corners, or four. Face i lies opposite corner i.
void append_face(const TetrahedralMesh& mesh, std::size_t element, int face, std::vector<std::array<int, 3>>& triangles);

struct BoundingBox {
  std::array<double, 3> minimum, maximum;  // [m]
  double diagonal() const;
};
BoundingBox bounding_box(const TetrahedralMesh& mesh);

// Reads gmsh 2.2 and 4.1 (ASCII and binary), Medit .mesh, TetGen .node/.ele (either is named), legacy VTK (ASCII and binary),
// VTU (ASCII, base64 and raw appended, zlib), of order 1 or 2; the content gives the format, then the extension. Coordinates
// are multiplied by `scale`, the values of fields are not. Validates. Throws Error(input) with file, line (or byte), what was
// found and what is allowed. Tetrahedra of orders above 2, of two orders, and other volume cells are refused by name.
TetrahedralMesh read_tetrahedral_mesh(const std::filesystem::path& path, double scale = 1.0);

// Reads a file's content in memory, as read_tetrahedral_mesh(). `name` is for messages; its extension gives the format if the
// content does not. TetGen's pairs of files are not supported here.
TetrahedralMesh parse_tetrahedral_mesh(const std::string& name, std::string_view bytes, double scale = 1.0);

}  // namespace holo
