#pragma once
// Collects the groups and fields of a mesh while its file is read.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

class MeshDataCollector {
 public:
  // Puts a cell of order 1 or 2 into a group: its corners, then perhaps the vertices on its edges, for a triangle those on the
  // edges 01, 12 and 20; it counts as four triangles between its vertices. `element`: index of the tetrahedron, of dimension 3.
  // `label`: of groups that share an array ("region"), else "".
  void add_cell(const std::string& label, int dimension, std::int64_t tag, std::span<const int> vertices, int element = -1);
  bool has_group(const std::string& label, int dimension, std::int64_t tag) const;
  // Names a group; it exists then, even without cells. Returns what is wrong, "" for nothing: the group has a name already, or
  // another one of its dimension has this name.
  std::string name_group(int dimension, std::int64_t tag, const std::string& name);
  // Adds a field. Returns what is wrong, "" for nothing: the support has a field of this name, or a value is not finite.
  std::string add_field(MeshField field);

  // Into the mesh: groups by dimension from 3 down to 0, then by label and number; fields in the file's order.
  void finish(TetrahedralMesh& mesh);

 private:
  using Key = std::tuple<int, std::string, std::int64_t>;  // 3 - dimension, label, tag
  std::map<Key, MeshGroup> groups_;
  std::map<std::pair<int, std::string>, std::int64_t> group_names_;  // number of the group of that dimension and name
  std::vector<MeshField> fields_;
  std::set<std::pair<MeshField::Support, std::string>> field_names_;
};

// The values of the given cells, in their order, of `values` of all cells [cell][component].
std::vector<double> values_of_elements(const std::vector<double>& values, int components, std::span<const std::int64_t> cells);

}  // namespace holo
