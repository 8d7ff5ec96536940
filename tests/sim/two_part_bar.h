#pragma once
// A mesh with groups and fields, for tests of values per element.

#include "holo/sim/mesh/shapes.h"

namespace holo::test {

inline constexpr double soft = 1e5, hard = 4e5;  // Pa

// A bar along x from 0 to 1 m: elements up to x = 0.5 m are in the group 'left', the others in 'right'; the field 'E' has their
// moduli, 'same' the soft one everywhere.
inline TetrahedralMesh two_part_bar() {
  TetrahedralMesh mesh = box_mesh({1, 0.25, 0.25}, 96);
  mesh.source = "bar.msh";
  MeshGroup left{"left", 3, {}, {}, {}}, right{"right", 3, {}, {}, {}};
  MeshField moduli{"E", MeshField::Support::elements, 1, {}};
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    double x = 0;
    for (const int vertex : mesh.tetrahedra[e]) x += mesh.vertices[static_cast<std::size_t>(vertex)][0] / 4;
    (x < 0.5 ? left : right).elements.push_back(static_cast<int>(e));
    moduli.values.push_back(x < 0.5 ? soft : hard);
    mesh.element_names.push_back(static_cast<std::int64_t>(e) + 100);
  }
  mesh.groups = {left, right, {"faces", 2, {}, {}, {}}, {"nothing", 3, {}, {}, {}}, {"copy of left", 3, {}, {}, left.elements}};
  mesh.fields = {moduli,
                 {"same", MeshField::Support::elements, 1, std::vector<double>(mesh.tetrahedra.size(), soft)},
                 {"short", MeshField::Support::elements, 1, {1, 2, 3}},
                 {"two", MeshField::Support::elements, 2, std::vector<double>(2 * mesh.tetrahedra.size(), hard)},
                 {"T", MeshField::Support::vertices, 1, std::vector<double>(mesh.vertices.size(), 1)}};
  return mesh;
}

}  // namespace holo::test
