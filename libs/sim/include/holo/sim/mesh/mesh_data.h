#pragma once
// Groups (named sets of cells) and fields (named values) of meshes, as mesh files contain them.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holo {

struct TetrahedralMesh;

// Cells of one dimension that a file puts together: a physical group of gmsh, a reference of Medit, a marker or region of
// TetGen, a value of an array of integers of VTK. A group without a name in the file is named after its cells and its number
// ("triangles 3"), one of VTK after the array and the value ("region 2").
struct MeshGroup {
  std::string name;                           // unique among the groups of its dimension
  int dimension = 3;                          // 0: points, 1: edges, 2: triangles, 3: tetrahedra
  std::vector<int> vertices;                  // of all its cells, ascending
  std::vector<std::array<int, 3>> triangles;  // of dimension 2, in the file's order and orientation; vertex indices
  std::vector<int> elements;                  // of dimension 3, ascending; indices of tetrahedra
};

// Values on every vertex or on every tetrahedron; all are finite.
struct MeshField {
  enum class Support { vertices, elements };
  std::string name;  // unique among the fields of its support
  Support support = Support::elements;
  int components = 1;          // at least 1
  std::vector<double> values;  // [vertex or tetrahedron][component], in the file's unit
};

std::string_view cells_of_dimension(int dimension);         // "points", "edges", "triangles", "tetrahedra"
std::string_view support_name(MeshField::Support support);  // "vertices", "elements"

// The group of that name (of that dimension, where one is given). Throws Error(input) that lists the groups of the mesh, with
// the nearest name, where there is none, and where several dimensions have one and none is given.
const MeshGroup& find_group(const TetrahedralMesh& mesh, const std::string& name, std::optional<int> dimension = {});

// The field of that name on elements. Throws Error(input) that lists the fields of the mesh, with the nearest name, where there
// is none, and where the field is on vertices.
const MeshField& find_element_field(const TetrahedralMesh& mesh, const std::string& name);

// The vertex that was `v` becomes `new_index[v]` in groups and fields; -1: it is removed, and so is a triangle that names it.
void renumber_mesh_data(TetrahedralMesh& mesh, const std::vector<int>& new_index);

}  // namespace holo
