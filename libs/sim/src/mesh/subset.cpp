#include "holo/sim/mesh/subset.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace holo {

namespace {

using Point = std::array<double, 3>;
using Kind = SubsetDefinition::Kind;

// A missing corner is infinite, so that the box is open on that side.
SubsetDefinition read_box_subset(Configuration& box) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  SubsetDefinition subset;
  subset.kind = Kind::box;
  subset.minimum = box.vector3("min", {.unit = "m",
                                       .default_value = Point{-infinity, -infinity, -infinity},
                                       .documentation = "lower corner; by default no lower bound"});
  subset.maximum = box.vector3("max", {.unit = "m",
                                       .default_value = Point{infinity, infinity, infinity},
                                       .documentation = "upper corner; by default no upper bound"});
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
  subset.center = half_space.vector3("point", {.unit = "m", .documentation = "point on the boundary"});
  subset.normal = half_space.vector3(
      "normal", {.default_value = Point{0, 0, 1}, .documentation = "normal that points into the half-space; any length but 0"});
  if (subset.normal == Point{})
    half_space.problem(half_space.location("normal"), "normal is [0, 0, 0]; a direction is needed.");
  return subset;
}

// The dimension is needed only if several groups have the name; select_vertices() finds that out, since the mesh is not known
// here.
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
         .documentation = "dimension of the group if several have the name: 0 points, 1 edges, 2 triangles, 3 tetrahedra"}));
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

bool inside_box(const SubsetDefinition& box, const Point& point) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!(point[i] >= box.minimum[i] && point[i] <= box.maximum[i])) return false;
  return true;
}

// The vertices of all boundary triangles, each once and ascending.
std::vector<int> surface_vertices(const TetrahedralMesh& mesh) {
  std::vector<int> vertices;
  for (const auto& triangle : boundary_triangles(mesh)) vertices.insert(vertices.end(), triangle.begin(), triangle.end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

}  // namespace

// Comparisons include the boundary. A half-space needs only the sign of the distance, so that the normal's length does not
// matter.
bool SubsetDefinition::contains(const Point& point) const {
  const Point d = {point[0] - center[0], point[1] - center[1], point[2] - center[2]};
  if (kind == Kind::box) return inside_box(*this, point);
  if (kind == Kind::sphere) return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= radius * radius;
  if (kind == Kind::half_space) return d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2] >= 0;
  return true;
}

SubsetDefinition read_subset(Configuration& parameters) {
  SubsetDefinition subset;
  // Exactly one of the keys must be present. Kinds with parameters have a section of their own; `surface` and `all` are
  // flags.
  const auto within = [&](const char* key, SubsetDefinition (*read)(Configuration&)) {
    return [&subset, key, read](Configuration& p) {
      Configuration section = p.section(key);
      subset = read(section);
    };
  };
  parameters.branch_on_key(
      {{"box", "points within a box, by their position at the start", within("box", read_box_subset)},
       {"sphere", "points within a sphere, by their position at the start", within("sphere", read_sphere_subset)},
       {"half_space", "points on one side of a plane, by their position at the start", within("half_space", read_half_space)},
       {"group", "vertices of a group of the mesh's file", [&](Configuration& p) { subset = read_group_subset(p); }},
       {"surface", "every vertex of the body's boundary",
        [&](Configuration& p) { subset = read_flag(p, "surface", Kind::surface); }},
       {"all", "every vertex of the body", [&](Configuration& p) { subset = read_flag(p, "all", Kind::all); }}},
      "vertices of the subset");
  subset.location = parameters.location();
  return subset;
}

std::vector<int> select_vertices(const SubsetDefinition& subset, const TetrahedralMesh& mesh) {
  // Surface and group follow from the mesh, all other kinds from the positions of its vertices.
  if (subset.kind == Kind::surface) return surface_vertices(mesh);
  if (subset.kind == Kind::group) {
    try {
      return find_group(mesh, subset.group, subset.dimension).vertices;
    } catch (const Error& error) {
      throw_input_error(subset.location, error.what());
    }
  }
  std::vector<int> vertices;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (subset.contains(mesh.vertices[v])) vertices.push_back(static_cast<int>(v));
  return vertices;
}

}  // namespace holo
