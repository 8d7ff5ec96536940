#include "mesh/readers/mesh_data_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mesh/readers/mesh_scanner.h"

namespace holo {

void MeshDataCollector::add_cell(const std::string& label, int dimension, std::int64_t tag, std::span<const int> vertices,
                                 int element) {
  MeshGroup& group = groups_[{3 - dimension, label, tag}];
  group.dimension = dimension;
  group.vertices.insert(group.vertices.end(), vertices.begin(), vertices.end());
  if (dimension == 2 && vertices.size() == 3) group.triangles.push_back({vertices[0], vertices[1], vertices[2]});
  if (dimension == 2 && vertices.size() == 6)
    for (const auto& [a, b, c] : {std::array{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}})
      group.triangles.push_back({vertices[a], vertices[b], vertices[c]});
  if (dimension == 3) group.elements.push_back(element);
}

bool MeshDataCollector::has_group(const std::string& label, int dimension, std::int64_t tag) const {
  return groups_.contains({3 - dimension, label, tag});
}

std::string MeshDataCollector::name_group(int dimension, std::int64_t tag, const std::string& name) {
  if (const auto other = group_names_.find({dimension, name}); other != group_names_.end() && other->second != tag)
    return fmt::format("the groups {} and {} of {} have the same name {}; names must differ", other->second, tag,
                       cells_of_dimension(dimension), shown(name));
  MeshGroup& group = groups_[{3 - dimension, "", tag}];
  if (!group.name.empty())
    return fmt::format("the group {} of {} has two names, {} and {}", tag, cells_of_dimension(dimension), shown(group.name),
                       shown(name));
  group.dimension = dimension;
  group.name = name;
  group_names_[{dimension, name}] = tag;
  return "";
}

std::string MeshDataCollector::add_field(MeshField field) {
  if (!field_names_.insert({field.support, field.name}).second)
    return fmt::format("a second field {} on {}; names must differ", shown(field.name), support_name(field.support));
  const auto bad = std::find_if(field.values.begin(), field.values.end(), [](double value) { return !std::isfinite(value); });
  if (bad != field.values.end())
    return fmt::format("the field {} has the value {} at number {} of its {} (counted from 0); finite numbers are required",
                       shown(field.name), *bad, (bad - field.values.begin()) / field.components, support_name(field.support));
  fields_.push_back(std::move(field));
  return "";
}

// Groups come sorted by dimension from 3 down, label and tag, whatever the order of the file; each vertex once, ascending.
void MeshDataCollector::finish(TetrahedralMesh& mesh) {
  for (auto& [key, group] : groups_) {
    const auto& [codimension, label, tag] = key;
    if (group.name.empty())
      group.name = fmt::format("{} {}", label.empty() ? std::string(cells_of_dimension(3 - codimension)) : label, tag);
    std::sort(group.vertices.begin(), group.vertices.end());
    group.vertices.erase(std::unique(group.vertices.begin(), group.vertices.end()), group.vertices.end());
    mesh.groups.push_back(std::move(group));
  }
  mesh.fields = std::move(fields_);
  groups_.clear();
}

// The rows of `values` that belong to tetrahedra, in the order of `cells`.
std::vector<double> values_of_elements(const std::vector<double>& values, int components, std::span<const std::int64_t> cells) {
  std::vector<double> picked;
  picked.reserve(cells.size() * static_cast<std::size_t>(components));
  for (const std::int64_t cell : cells)
    picked.insert(picked.end(), values.begin() + cell * components, values.begin() + (cell + 1) * components);
  return picked;
}

}  // namespace holo
