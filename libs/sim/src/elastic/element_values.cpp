// Reads values per element: formulas, fields and groups.
#include "holo/sim/elastic/element_values.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>

#include "holo/core/error.h"
#include "holo/sim/mesh/mesh_data.h"
#include "holo/sim/motion/formula.h"

namespace holo {
namespace {

std::string allowed_ways(int components) {
  return components == 1
             ? "a number, a formula of x, y and z, {field: NAME} or {groups: {NAME: number, ...}, otherwise: number}"
             : "three numbers or formulas of x, y and z, {field: NAME} or {groups: {NAME: [x, y, z], ...}, otherwise: [x, y, "
               "z]}";
}

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

// One formula, or a list of three.
ElementValues read_formulas(Configuration& parameters, const std::string& key, int components) {
  ElementValues result{components, components == 1 ? "a formula" : "formulas", parameters.location(key), {}};
  const std::size_t problems = parameters.problem_count();
  const std::vector<std::string> texts =
      components == 1 ? std::vector<std::string>{parameters.text(key)} : parameters.texts(key, 3, 3);
  if (parameters.problem_count() != problems) return result;
  std::vector<Formula> formulas;
  for (const std::string& text : texts) {
    try {
      formulas.emplace_back(text, std::vector<std::string>{"x", "y", "z"});
    } catch (const Error& error) {
      const std::string entry = components == 1 ? "" : fmt::format(".{}", formulas.size());
      parameters.problem(result.location, fmt::format("'{}{}' must be {}; as a formula: {}", parameters.path(key), entry,
                                                      allowed_ways(components), error.what()));
      return result;
    }
  }
  result.values = [formulas](const TetrahedralMesh& mesh) { return values_at_centroids(mesh, formulas); };
  return result;
}

std::string component_count(std::size_t count) { return fmt::format("{} component{}", count, count == 1 ? "" : "s"); }

// `component` selects one of several; without one all are taken, as many as are needed.
std::vector<double> values_of_field(const TetrahedralMesh& mesh, const std::string& name, int needed,
                                    std::optional<int> component) {
  const MeshField& field = find_element_field(mesh, name);
  const std::size_t components = static_cast<std::size_t>(field.components), count = mesh.tetrahedra.size();
  if (field.values.size() != components * count)
    throw Error(Failure::input, fmt::format("the field '{}' of {} has {} values; {} elements of {} need {}", name, mesh.source,
                                            field.values.size(), count, component_count(components), components * count));
  if (needed == 3 && field.components != 3)
    throw Error(Failure::input,
                fmt::format("the field '{}' of {} has {}; a vector needs 3", name, mesh.source, component_count(components)));
  if (needed == 3 || (field.components == 1 && component.value_or(0) == 0)) return field.values;
  if (!component || *component >= field.components)
    throw Error(Failure::input, fmt::format("the field '{}' of {} has {}; `component` must tell one of 0 to {}", name,
                                            mesh.source, component_count(components), components - 1));
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = field.values[i * components + static_cast<std::size_t>(*component)];
  return values;
}

ElementValues read_field(Configuration& section, int components) {
  const std::string name = section.text("field");
  std::optional<int> component;
  if (components == 1 && section.has("component"))
    component = static_cast<int>(section.integer("component", {.minimum = 0, .maximum = 999}));
  return {components, fmt::format("the field '{}'", name), section.location("field"),
          [=](const TetrahedralMesh& mesh) { return values_of_field(mesh, name, components, component); }};
}

struct GroupValue {
  std::string name;
  std::vector<double> value;  // [component]
};

// Each element's value by the group that it is in; `otherwise`, unless empty, of those in none.
std::vector<double> values_by_group(const TetrahedralMesh& mesh, const std::vector<GroupValue>& groups,
                                    const std::vector<double>& otherwise) {
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
    }
  }
  std::vector<double> values;
  for (std::size_t element = 0; element < taken.size(); ++element) {
    if (!taken[element] && otherwise.empty())
      throw Error(Failure::input,
                  fmt::format("element {} of {} is in none of the groups that are named here; name its group, or "
                              "give a value for the others by `otherwise`",
                              element_number(mesh, element), mesh.source));
    const std::vector<double>& value = taken[element] ? taken[element]->value : otherwise;
    values.insert(values.end(), value.begin(), value.end());
  }
  return values;
}

std::vector<double> read_vector(Configuration& parameters, const std::string& key) {
  const std::array<double, 3> vector = parameters.vector3(key);
  return {vector.begin(), vector.end()};
}

ElementValues read_groups(Configuration& section, const std::string& key, int components) {
  std::vector<GroupValue> groups;
  if (components == 3) {
    Configuration vectors = section.section("groups");
    for (const std::string& name : vectors.keys()) groups.push_back({name, read_vector(vectors, name)});
  } else {
    for (const Configuration::Entry& entry : section.entries("groups")) {
      if (entry.number)
        groups.push_back({entry.name, {*entry.number}});
      else
        section.problem(entry.location, fmt::format("the value of '{}' in the group '{}' must be a number, but '{}' was found.",
                                                    key, entry.name, entry.text));
    }
  }
  std::vector<double> otherwise;
  if (section.has("otherwise"))
    otherwise = components == 3 ? read_vector(section, "otherwise") : std::vector<double>{section.number("otherwise")};
  return {components, "its group", section.location("groups"),
          [=](const TetrahedralMesh& mesh) { return values_by_group(mesh, groups, otherwise); }};
}

}  // namespace

std::vector<double> values_at_centroids(const TetrahedralMesh& mesh, const std::vector<Formula>& formulas) {
  std::vector<double> values;
  for (const auto& corners : mesh.tetrahedra) {
    std::array<double, 3> centroid{};
    for (const int corner : corners)
      for (std::size_t axis = 0; axis < 3; ++axis) centroid[axis] += mesh.vertices[static_cast<std::size_t>(corner)][axis] / 4;
    for (const Formula& formula : formulas) values.push_back(formula(centroid));
  }
  return values;
}

std::vector<double> ElementValues::of(const TetrahedralMesh& mesh) const {
  try {
    return values(mesh);
  } catch (const Error& error) {
    throw_input_error(location, error.what());
  }
}

bool has_element_values(Configuration& parameters, const std::string& key, int components) {
  if (parameters.recording() || !parameters.has(key)) return false;
  const std::string text = parameters.raw(key);
  if (text.starts_with('{')) return true;
  return text.starts_with('[') == (components == 3) && !is_number(text) && names_a_coordinate(text);
}

ElementValues read_element_values(Configuration& parameters, const std::string& key, int components) {
  if (!parameters.raw(key).starts_with('{')) return read_formulas(parameters, key, components);
  Configuration section = parameters.section(key);
  ElementValues result{components, "", section.location(), {}};
  section.branch_on_key({{"field", "a field of the mesh", [&](Configuration& p) { result = read_field(p, components); }},
                         {"groups", "groups of the mesh", [&](Configuration& p) { result = read_groups(p, key, components); }}},
                        "source of the values");
  return result;
}

}  // namespace holo
