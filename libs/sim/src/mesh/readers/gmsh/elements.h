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
#include "mesh/readers/tetrahedra.h"

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

  // An element of a type that is read, and its vertices in gmsh's order.
  struct Cell {
    int dimension = 0, count = 0;
    std::array<int, 10> all{};
    std::span<const int> vertices() const { return {all.data(), static_cast<std::size_t>(count)}; }
  };
  Cell read_cell(std::int64_t number, std::int64_t type) {
    Cell cell{gmsh_read_dimension(type), gmsh_node_count(type), {}};
    for (int i = 0; i < cell.count; ++i) {
      const std::int64_t node = is_41_ ? large_integer("a node of an element", 0, largest_number)
                                       : small_integer("a node of an element", 0, largest_index);
      const int vertex = cell.all[static_cast<std::size_t>(i)] = numbers_.index(node);
      if (vertex < 0) scanner_.fail(fmt::format("element {} names node {}, which '$Nodes' does not hold", number, node));
    }
    return cell;
  }

  void add_to_groups(const Cell& cell, const std::vector<int>& groups) {
    for (const int group : groups)  // a negative number: the element is turned over
      collector_.add_cell("", cell.dimension, std::abs(group), cell.vertices(), static_cast<int>(mesh_.tetrahedra.size()) - 1);
  }

  void add_tetrahedron(std::int64_t number, const Cell& cell, const std::vector<int>& groups, int elementary) {
    if (!has_order_of(mesh_, cell.vertices().size()))
      scanner_.fail(mixed_orders(fmt::format("element {}", number), cell.vertices().size(),
                                 fmt::format("element {}", mesh_.element_names[0])));
    append_tetrahedron(mesh_, cell.vertices(), gmsh_edge_order);
    mesh_.element_names.push_back(number);
    physical_.push_back(groups.empty() ? 0 : groups[0]);
    elementary_.push_back(elementary);
    add_to_groups(cell, groups);
  }

  [[noreturn]] void refuse_curved(std::int64_t number, const std::string& name) {
    scanner_.fail(fmt::format("element {} is {}; tetrahedra of 4 and of 10 nodes are allowed: export the mesh at order 1 or 2",
                              number, name));
  }
  [[noreturn]] void refuse_unknown(std::int64_t type) {
    scanner_.fail(fmt::format("element type {}, whose length is not known; save only the volume's tetrahedra", type));
  }

  TetrahedralMesh mesh_;
  NodeNumbers numbers_;
  MeshDataCollector collector_;
  std::vector<int> physical_, elementary_;  // of each tetrahedron
  bool is_41_ = false;
};

}  // namespace holo
