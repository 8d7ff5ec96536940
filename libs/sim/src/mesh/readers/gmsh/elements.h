#pragma once
// The nodes and elements of a gmsh file of any version, as they are collected into a mesh and its groups.

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"
#include "mesh/readers/gmsh/numbers.h"
#include "mesh/readers/mesh_data_collector.h"
#include "mesh/readers/mesh_readers.h"
#include "mesh/readers/node_numbers.h"

namespace holo {

class GmshElements : protected GmshNumbers {
 protected:
  GmshElements(const std::string& file, std::string_view bytes) : GmshNumbers(file, bytes) {}

  std::int64_t vertex_count() const { return static_cast<std::int64_t>(mesh_.vertices.size()); }

  void count_other(std::int64_t type, std::int64_t count) {
    if (const auto shape = gmsh_other_shape(type)) mesh_.other_cells.add(*shape, count);
  }

  void add_vertex() {
    const double x = real("a coordinate"), y = real("a coordinate"), z = real("a coordinate");
    mesh_.vertices.push_back({x, y, z});
  }

  struct Corners {
    std::array<int, 4> vertices{};
    int count = 0;
  };
  Corners read_corners(std::int64_t number, int nodes) {
    Corners corners{{}, nodes};
    for (int i = 0; i < nodes; ++i) {
      const std::int64_t node = is_41_ ? large_integer("a node of an element", 0, largest_number)
                                       : small_integer("a node of an element", 0, largest_index);
      const int corner = corners.vertices[static_cast<std::size_t>(i)] = numbers_.index(node);
      if (corner < 0) scanner_.fail(fmt::format("element {} names node {}, which '$Nodes' does not hold", number, node));
    }
    return corners;
  }

  void add_to_groups(const Corners& corners, const std::vector<int>& groups) {
    for (const int group : groups)  // a negative number: the element is turned over
      collector_.add_cell("", corners.count - 1, std::abs(group), std::span(corners.vertices.data(), corners.count),
                          static_cast<int>(mesh_.tetrahedra.size()) - 1);
  }

  void add_tetrahedron(std::int64_t number, const std::vector<int>& groups, int elementary) {
    const Corners corners = read_corners(number, 4);
    mesh_.tetrahedra.push_back(corners.vertices);
    mesh_.element_names.push_back(number);
    physical_.push_back(groups.empty() ? 0 : groups[0]);
    elementary_.push_back(elementary);
    add_to_groups(corners, groups);
  }

  [[noreturn]] void refuse_curved(std::int64_t number, const std::string& name) {
    scanner_.fail(fmt::format("element {} is {}; only linear tetrahedra (4 nodes) are allowed: export the mesh at order 1",
                              number, name));
  }
  [[noreturn]] void refuse_unknown(std::int64_t type) {
    scanner_.fail(fmt::format("element type {}, whose length is not known; save only the volume's linear tetrahedra", type));
  }

  TetrahedralMesh mesh_;
  NodeNumbers numbers_;
  MeshDataCollector collector_;
  std::vector<int> physical_, elementary_;  // of each tetrahedron
  bool is_41_ = false;
};

}  // namespace holo
