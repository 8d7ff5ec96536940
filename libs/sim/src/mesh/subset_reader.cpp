// Reads subsets from an experiment.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "holo/sim/mesh/subset.h"

namespace holo {

namespace {

using Point = std::array<double, 3>;
using Kind = SubsetDefinition::Kind;
using Of = SubsetDefinition::Of;

SubsetDefinition read_box_subset(Configuration& box) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  SubsetDefinition subset;
  subset.kind = Kind::box;
  subset.minimum = box.vector3("min", {.unit = "m",
                                       .default_value = Point{-infinity, -infinity, -infinity},
                                       .documentation = "lower corner; without it open below"});
  subset.maximum = box.vector3("max", {.unit = "m",
                                       .default_value = Point{infinity, infinity, infinity},
                                       .documentation = "upper corner; without it open above"});
  for (std::size_t i = 0; i < 3; ++i)
    if (subset.minimum[i] > subset.maximum[i])
      box.problem(box.location(), fmt::format("the box has min[{0}] = {1} above max[{0}] = {2}, so that nothing is inside.", i,
                                              subset.minimum[i], subset.maximum[i]));
  return subset;
}

SubsetDefinition read_sphere_subset(Configuration& sphere) {
  SubsetDefinition subset;
  subset.kind = Kind::sphere;
  subset.center = sphere.vector3("center", {.unit = "m"});
  subset.radius = sphere.number("radius", {.unit = "m", .minimum = 0, .minimum_excluded = true});
  return subset;
}

SubsetDefinition read_half_space(Configuration& half_space) {
  SubsetDefinition subset;
  subset.kind = Kind::half_space;
  subset.center = half_space.vector3("point", {.unit = "m", .documentation = "on the boundary"});
  subset.normal =
      half_space.vector3("normal", {.default_value = Point{0, 0, 1}, .documentation = "into the half-space; any length but 0"});
  if (subset.normal == Point{})
    half_space.problem(half_space.location("normal"), "normal is [0, 0, 0]; a direction is needed.");
  return subset;
}

SubsetDefinition read_group_subset(Configuration& parameters) {
  SubsetDefinition subset;
  subset.kind = Kind::group;
  subset.group =
      parameters.text("group", {.documentation = "name of a group of the mesh's file; `holo describe FILE` lists them"});
  if (parameters.has("dimension") || parameters.recording())
    subset.dimension = static_cast<int>(parameters.integer(
        "dimension",
        {.minimum = 0,
         .maximum = 3,
         .documentation = "0: points, 1: edges, 2: triangles, 3: tetrahedra; where several groups have the name"}));
  return subset;
}

// `key: true`; false selects nothing, which is a problem.
SubsetDefinition read_flag(Configuration& parameters, const char* key, Kind kind) {
  const std::size_t problems = parameters.problem_count();
  const bool value = parameters.boolean(key, std::nullopt, "true");
  if (!value && !parameters.recording() && parameters.problem_count() == problems)
    parameters.problem(parameters.location(key),
                       fmt::format("{0}: false selects nothing; write {0}: true, a box or a sphere.", key));
  SubsetDefinition subset;
  subset.kind = kind;
  return subset;
}

// One of the body's named subsets.
SubsetDefinition read_name(Configuration& parameters, const std::vector<NamedSubset>& named) {
  const std::size_t problems = parameters.problem_count();
  const std::string name = parameters.text("name", {.documentation = "name of one of the body's `subsets`"});
  if (parameters.recording() || parameters.problem_count() != problems) return {};
  std::vector<std::string> names;
  for (const NamedSubset& each : named) {
    if (each.name == name) return each.subset;
    names.push_back(each.name);
  }
  const std::string list = names.empty() ? "it has none" : fmt::format("there are: {}", fmt::join(names, ", "));
  parameters.problem(parameters.location("name"),
                     fmt::format("the body has no subset '{}' in its `subsets`; {}.{}", name, list, suggestion(name, names)));
  return {};
}

// `named`: null where a name is not allowed.
SubsetDefinition read_vertices(Configuration& parameters, const std::vector<NamedSubset>* named) {
  SubsetDefinition subset;
  const auto within = [&](const char* key, SubsetDefinition (*read)(Configuration&)) {
    return [&subset, key, read](Configuration& p) {
      Configuration section = p.section(key);
      subset = read(section);
    };
  };
  std::vector<Configuration::Branch> branches = {
      {"box", "points within a box, by their position at the start", within("box", read_box_subset)},
      {"sphere", "points within a sphere, by their position at the start", within("sphere", read_sphere_subset)},
      {"half_space", "points on one side of a plane, by their position at the start", within("half_space", read_half_space)},
      {"group", "vertices of a group of the mesh's file", [&](Configuration& p) { subset = read_group_subset(p); }},
      {"surface", "every vertex of the body's boundary",
       [&](Configuration& p) { subset = read_flag(p, "surface", Kind::surface); }},
      {"all", "every vertex of the body", [&](Configuration& p) { subset = read_flag(p, "all", Kind::all); }}};
  if (named)
    branches.push_back({"name", "a named subset of the body", [&](Configuration& p) { subset = read_name(p, *named); }});
  parameters.branch_on_key(branches, "which vertices");
  subset.location = parameters.location();
  return subset;
}

SubsetDefinition read_definition(Configuration& parameters) {
  SubsetDefinition subset = read_vertices(parameters, nullptr);
  const std::string of =
      parameters.text("of", {.choices = {"vertices", "elements", "surface"},
                             .default_value = "vertices",
                             .documentation = "elements, or triangles of the surface, with all vertices in it"});
  subset.of = of == "elements" ? Of::elements : of == "surface" ? Of::surface : Of::vertices;
  const int needed = subset.of == Of::elements ? 3 : 2;
  if (subset.of != Of::vertices && subset.dimension && *subset.dimension != needed && !parameters.recording())
    parameters.problem(parameters.location("dimension"),
                       fmt::format("a subset `of: {}` needs a group of {}, of dimension {}; {} was found.", of,
                                   cells_of_dimension(needed), needed, *subset.dimension));
  return subset;
}

}  // namespace

SubsetDefinition read_subset(Configuration& parameters, const std::vector<NamedSubset>& named) {
  return read_vertices(parameters, &named);
}

std::vector<NamedSubset> read_named_subsets(Configuration& body) {
  const char* documentation =
      "by name, each as in handles, and `of: elements` or `of: surface`; losses call them BODY.NAME, handles and loads {name: "
      "NAME}";
  if (body.recording()) {
    body.entries("subsets", documentation);
    return {};
  }
  std::vector<NamedSubset> named;
  Configuration subsets = body.section("subsets", documentation, false);
  for (const std::string& name : subsets.keys()) {
    Configuration subset = subsets.section(name);
    named.push_back({name, read_definition(subset)});
  }
  return named;
}

}  // namespace holo
