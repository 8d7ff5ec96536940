// Reads the sources of a material's parameters: formulas, fields and groups.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>

#include "holo/core/error.h"
#include "holo/sim/elastic/material_fields.h"
#include "holo/sim/mesh/mesh_data.h"
#include "holo/sim/motion/formula.h"

namespace holo {
namespace {

using Source = MaterialFields::Source;

constexpr const char* allowed_ways =
    "a number, a formula of x, y and z, {field: NAME} or {groups: {NAME: number, ...}, otherwise: number}";

bool is_number(std::string text) {
  double value = 0;
  if (text.starts_with('+')) text.erase(0, 1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// A formula names a coordinate; any other text stays what it was, a number written wrongly.
bool names_a_coordinate(const std::string& text) {
  const auto is_word = [&](std::size_t i) { return i < text.size() && (std::isalnum(text[i]) != 0 || text[i] == '_'); };
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] >= 'x' && text[i] <= 'z' && (i == 0 || !is_word(i - 1)) && !is_word(i + 1)) return true;
  return false;
}

Source formula_source(Configuration& material, const std::string& key) {
  Source source{key, "", material.location(key), {}};
  const std::string text = material.text(key);
  source.text = "a formula";
  try {
    source.values = [formula = Formula(text, {"x", "y", "z"})](const TetrahedralMesh& mesh) {
      std::vector<double> values;
      for (const auto& corners : mesh.tetrahedra) {
        std::array<double, 3> centroid{};
        for (const int corner : corners)
          for (std::size_t axis = 0; axis < 3; ++axis)
            centroid[axis] += mesh.vertices[static_cast<std::size_t>(corner)][axis] / 4;
        values.push_back(formula(centroid));
      }
      return values;
    };
  } catch (const Error& error) {
    material.problem(source.location,
                     fmt::format("'{}' must be {}; as a formula: {}", material.path(key), allowed_ways, error.what()));
  }
  return source;
}

Source field_source(Configuration& section, const std::string& key) {
  const std::string name = section.text("field");
  const auto component = static_cast<int>(section.integer("component", {.minimum = 0, .maximum = 999, .default_value = 0}));
  const bool tells_component = section.has("component");
  Source source{key, fmt::format("the field '{}'", name), section.location("field"), {}};
  source.values = [=](const TetrahedralMesh& mesh) {
    const MeshField& field = find_element_field(mesh, name);
    const std::size_t components = static_cast<std::size_t>(field.components), count = mesh.tetrahedra.size();
    if (field.values.size() != components * count)
      throw Error(Failure::input,
                  fmt::format("the field '{}' of {} has {} values; {} elements of {} component{} need {}", name, mesh.source,
                              field.values.size(), count, components, components == 1 ? "" : "s", components * count));
    if (component >= field.components || (field.components > 1 && !tells_component))
      throw Error(Failure::input, fmt::format("the field '{}' of {} has {} component{}; `component` must tell one of 0 to {}",
                                              name, mesh.source, components, components == 1 ? "" : "s", components - 1));
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = field.values[i * components + static_cast<std::size_t>(component)];
    return values;
  };
  return source;
}

struct GroupValue {
  std::string name;
  double value;
};

// Each element's value by the group that it is in; `otherwise` of those in none.
std::vector<double> values_by_group(const TetrahedralMesh& mesh, const std::vector<GroupValue>& groups,
                                    std::optional<double> otherwise) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values(mesh.tetrahedra.size(), none);
  std::vector<const GroupValue*> taken(mesh.tetrahedra.size(), nullptr);
  for (const GroupValue& group : groups) {
    const MeshGroup& found = find_group(mesh, group.name, 3);
    if (found.elements.empty())
      throw Error(Failure::input, fmt::format("the group '{}' of {} has no elements", group.name, mesh.source));
    for (const int e : found.elements) {
      const auto element = static_cast<std::size_t>(e);
      if (taken[element])
        throw Error(Failure::input, fmt::format("element {} of {} is in the groups '{}' and '{}'; one of those that are named "
                                                "here is allowed for each element",
                                                element_number(mesh, element), mesh.source, taken[element]->name, group.name));
      taken[element] = &group;
      values[element] = group.value;
    }
  }
  for (std::size_t element = 0; element < values.size(); ++element) {
    if (taken[element]) continue;
    if (!otherwise)
      throw Error(Failure::input,
                  fmt::format("element {} of {} is in none of the groups that are named here; name its group, or "
                              "give a value for the others by `otherwise`",
                              element_number(mesh, element), mesh.source));
    values[element] = *otherwise;
  }
  return values;
}

Source group_source(Configuration& section, const std::string& key) {
  std::vector<GroupValue> groups;
  for (const Configuration::Entry& entry : section.entries("groups")) {
    if (entry.number)
      groups.push_back({entry.name, *entry.number});
    else
      section.problem(entry.location, fmt::format("the value of '{}' in the group '{}' must be a number, but '{}' was found.",
                                                  key, entry.name, entry.text));
  }
  std::optional<double> otherwise;
  if (section.has("otherwise")) otherwise = section.number("otherwise");
  Source source{key, "its group", section.location("groups"), {}};
  source.values = [=](const TetrahedralMesh& mesh) { return values_by_group(mesh, groups, otherwise); };
  return source;
}

// The plugin's parameters; none if it refuses recording values, and then its numbers cannot be fields.
std::vector<ParameterDescription> parameters_of(const MaterialPlugin& plugin) {
  try {
    return plugin.parameters();
  } catch (const Error&) {
    return {};
  }
}

Source mapping_source(Configuration& material, const std::string& key) {
  Configuration section = material.section(key);
  Source source;
  section.branch_on_key({{"field", "a field of the mesh", [&](Configuration& p) { source = field_source(p, key); }},
                         {"groups", "groups of the mesh", [&](Configuration& p) { source = group_source(p, key); }}},
                        "source of the values");
  return source;
}

}  // namespace

std::shared_ptr<MaterialFields> read_material_fields(Configuration& material,
                                                     const std::shared_ptr<const MaterialPlugin>& plugin,
                                                     const Location& location) {
  std::vector<std::pair<std::string, bool>> keys;  // and whether it is a mapping
  const std::vector<std::string> present = material.keys();
  for (const ParameterDescription& parameter : parameters_of(*plugin)) {
    if (parameter.kind != "number" || std::find(present.begin(), present.end(), parameter.path) == present.end()) continue;
    const std::string text = material.raw(parameter.path);
    const bool is_mapping = text.starts_with('{');
    if (is_mapping || (!is_number(text) && names_a_coordinate(text))) keys.emplace_back(parameter.path, is_mapping);
  }
  if (keys.empty()) return nullptr;
  std::vector<Source> sources;
  std::vector<std::string> names;
  for (const auto& [key, is_mapping] : keys) {
    names.push_back(key);
    Source source = is_mapping ? mapping_source(material, key) : formula_source(material, key);
    if (source.values) sources.push_back(std::move(source));  // else a problem has been recorded
  }
  MaterialValues values = read_material_values(*plugin, material, names);
  return std::make_shared<MaterialFields>(plugin, std::move(values), std::move(sources), location);
}

}  // namespace holo
