#include "holo/sim/mesh/mesh_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "holo/core/error.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

namespace {

constexpr std::size_t longest_list = 30;  // names in a message

// "'a' (tetrahedra), 'b' (triangles)"
template <class Things, class Kind>
std::string list_of(const Things& things, const Kind& kind) {
  std::vector<std::string> texts;
  for (const auto& thing : things) {
    if (texts.size() == longest_list) {
      texts.push_back(fmt::format("and {} more", things.size() - longest_list));
      break;
    }
    texts.push_back(fmt::format("'{}' ({})", thing.name, kind(thing)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

template <class Things>
std::string nearest_of(const std::string& name, const Things& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return suggestion(name, names);
}

std::string group_list(const TetrahedralMesh& mesh) {
  if (mesh.groups.empty()) return "; it has no groups";
  return fmt::format("; its groups are {}",
                     list_of(mesh.groups, [](const MeshGroup& group) { return cells_of_dimension(group.dimension); }));
}

std::string field_list(const TetrahedralMesh& mesh) {
  if (mesh.fields.empty()) return "; it has no fields";
  return fmt::format("; its fields are {}", list_of(mesh.fields, [](const MeshField& field) {
                       return fmt::format("{}, {} component{}", support_name(field.support), field.components,
                                          field.components == 1 ? "" : "s");
                     }));
}

// Removed vertices leave the group, and so do triangles that have one.
void renumber(MeshGroup& group, const std::vector<int>& new_index) {
  for (int& vertex : group.vertices) vertex = new_index[vertex];
  std::erase(group.vertices, -1);
  std::sort(group.vertices.begin(), group.vertices.end());
  for (auto& triangle : group.triangles)
    for (int& vertex : triangle) vertex = new_index[vertex];
  std::erase_if(group.triangles, [](const auto& t) { return std::find(t.begin(), t.end(), -1) != t.end(); });
}

// Values of vertices move to their new places; those of removed ones are lost.
void renumber(MeshField& field, const std::vector<int>& new_index) {
  if (field.support == MeshField::Support::elements) return;
  const auto count = static_cast<std::size_t>(std::count_if(new_index.begin(), new_index.end(), [](int i) { return i >= 0; }));
  const auto components = static_cast<std::size_t>(field.components);
  std::vector<double> values(count * components);
  for (std::size_t v = 0; v < new_index.size(); ++v)
    if (new_index[v] >= 0)
      std::copy_n(field.values.begin() + static_cast<std::ptrdiff_t>(v * components), components,
                  values.begin() + new_index[v] * static_cast<std::ptrdiff_t>(components));
  field.values = std::move(values);
}

}  // namespace

std::string_view cells_of_dimension(int dimension) {
  constexpr std::string_view names[] = {"points", "edges", "triangles", "tetrahedra"};
  return names[dimension];
}

std::string_view support_name(MeshField::Support support) {
  return support == MeshField::Support::vertices ? "vertices" : "elements";
}

const MeshGroup& find_group(const TetrahedralMesh& mesh, const std::string& name, std::optional<int> dimension) {
  const MeshGroup* found = nullptr;
  for (const MeshGroup& group : mesh.groups) {
    if (group.name != name || (dimension && group.dimension != *dimension)) continue;
    if (found)
      throw Error(Failure::input,
                  fmt::format("{} has a group '{}' of {} and one of {}; `dimension` tells which is meant ({} or {})",
                              mesh.source, name, cells_of_dimension(found->dimension), cells_of_dimension(group.dimension),
                              found->dimension, group.dimension));
    found = &group;
  }
  if (found) return *found;
  const std::string what = dimension ? fmt::format(" of {}", cells_of_dimension(*dimension)) : "";
  throw Error(Failure::input, fmt::format("{} has no group '{}'{}{}.{}", mesh.source, name, what, group_list(mesh),
                                          nearest_of(name, mesh.groups)));
}

const MeshField& find_element_field(const TetrahedralMesh& mesh, const std::string& name) {
  const MeshField* on_vertices = nullptr;
  for (const MeshField& field : mesh.fields) {
    if (field.name != name) continue;
    if (field.support == MeshField::Support::elements) return field;
    on_vertices = &field;
  }
  if (on_vertices)
    throw Error(Failure::input, fmt::format("the field '{}' of {} has {} values, on its vertices; one for each of its {} "
                                            "elements is needed",
                                            name, mesh.source, mesh.vertices.size(), mesh.tetrahedra.size()));
  throw Error(Failure::input,
              fmt::format("{} has no field '{}'{}.{}", mesh.source, name, field_list(mesh), nearest_of(name, mesh.fields)));
}

void renumber_mesh_data(TetrahedralMesh& mesh, const std::vector<int>& new_index) {
  for (MeshGroup& group : mesh.groups) renumber(group, new_index);
  for (MeshField& field : mesh.fields) renumber(field, new_index);
}

}  // namespace holo
