#include "characters/obstacle_reader.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "characters/grid_obstacles.h"
#include "holo/sim/articulated/dynamics/height_coefficients.h"
#include "holo/sim/motion/formula.h"
#include "runs/at_place.h"
#include "signals/signal_sources.h"

namespace holo {

namespace {

using articulated::Obstacle, articulated::ObstacleKind;

constexpr double farthest_obstacle = 1e5;  // [m]
constexpr int most_grid_points = 2000;     // of a height field along x and along y

Eigen::Vector3d read_point(Configuration& entry, const char* key, const char* documentation) {
  return vector_of(entry.vector3(key, {.unit = "m",
                                       .minimum = -farthest_obstacle,
                                       .maximum = farthest_obstacle,
                                       .default_value = std::array<double, 3>{},
                                       .documentation = documentation}));
}

NumberSpec length(const char* documentation) {
  return {.unit = "m", .minimum = 0, .maximum = farthest_obstacle, .minimum_excluded = true, .documentation = documentation};
}

void place_obstacle(Configuration& entry, Obstacle& obstacle, const char* position) {
  Eigen::Isometry3d pose(Eigen::Translation3d(read_point(entry, "position", position)));
  const Quaternion<double> q = read_rotation(entry, "rotation", "rotation about the position, axis times angle");
  pose.rotate(Eigen::Quaterniond(q.w, q.x, q.y, q.z));
  obstacle.frame = articulated::rigid_frame(pose);
}

void read_plane(Configuration& entry, Obstacle& obstacle) {
  obstacle.kind = ObstacleKind::plane;
  const Eigen::Vector3d point = read_point(entry, "point", "a point of the plane"),
                        normal = vector_of(entry.vector3("normal", {.default_value = std::array<double, 3>{0, 0, 1},
                                                                    .documentation = "out of the obstacle; any length but 0"}));
  if (!(normal.norm() > 0)) {
    entry.problem(entry.location("normal"), "the normal is [0, 0, 0]; a direction is needed");
    return;
  }
  Eigen::Isometry3d pose(Eigen::Translation3d(point.x(), point.y(), point.z()));
  pose.rotate(Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), normal));
  obstacle.frame = articulated::rigid_frame(pose);
}

void read_sphere(Configuration& entry, Obstacle& obstacle) {
  obstacle.kind = ObstacleKind::sphere;
  const Eigen::Vector3d center = read_point(entry, "center", "");
  obstacle.frame.origin = {center.x(), center.y(), center.z()};
  obstacle.size = {entry.number("radius", length("")), 0, 0};
}

void read_box(Configuration& entry, Obstacle& obstacle) {
  obstacle.kind = ObstacleKind::box;
  place_obstacle(entry, obstacle, "center of the box");
  const Eigen::Vector3d size = vector_of(entry.vector3(
      "size", {.unit = "m", .minimum = 0, .maximum = farthest_obstacle, .documentation = "lengths of the edges, above 0"}));
  if (!(size.minCoeff() > 0)) entry.problem(entry.location("size"), "a box needs three lengths above 0 m");
  for (int i = 0; i < 3; ++i) obstacle.size[i] = size[i] / 2;
  obstacle.sharpness = entry.number(
      "sharpness", {.unit = "1/m",
                    .minimum = 0,
                    .minimum_excluded = true,
                    .default_value = 200.0,
                    .documentation = "of edges and corners: the surface stands at most log(6)/sharpness inside of the box"});
}

// Heights by a formula of x and y.
void read_height_formula(Configuration& entry, ObstacleDefinition& definition) {
  const std::size_t problems = entry.problem_count();
  const std::string text = entry.text("formula", {.documentation = "height in m, of x and y in m from the first grid point"});
  const Location where = entry.location("formula");
  if (entry.recording() || entry.problem_count() != problems) return;
  try {
    Formula(text, {"x", "y"});
  } catch (const Error& error) {
    entry.problem(where, error.what());
    return;
  }
  const Obstacle& grid = definition.obstacle;
  definition.heights = [text, where, columns = grid.columns, rows = grid.rows, spacing = grid.spacing] {
    const Formula formula(text, {"x", "y"}, where);
    std::vector<double> heights;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) heights.push_back(formula(std::array{column * spacing, row * spacing}));
    return heights;
  };
}

void read_height_field(Configuration& entry, ObstacleDefinition& definition) {
  Obstacle& obstacle = definition.obstacle;
  obstacle.kind = ObstacleKind::height_field;
  place_obstacle(entry, obstacle, "of the first grid point at the height 0; beyond the grid the field goes on constantly");
  const auto count = [&](const char* key, const char* documentation) {
    return int(entry.integer(key, {.minimum = 2, .maximum = most_grid_points, .documentation = documentation}));
  };
  obstacle.columns = count("columns", "grid points along x");
  obstacle.rows = count("rows", "grid points along y");
  obstacle.spacing = entry.number("spacing", length("distance of grid points"));
  const auto read_heights = [&](Configuration& p) {
    // A schema does not know the size of the grid.
    const std::size_t size = std::size_t(obstacle.columns) * std::size_t(obstacle.rows);
    const std::vector<double> heights =
        p.numbers("heights", size, p.recording() ? std::size_t(most_grid_points) * most_grid_points : size,
                  {.unit = "m", .documentation = "row after row along x, the first row at y = 0"});
    definition.heights = [heights] { return heights; };
  };
  entry.branch_on_key({{"formula", "heights by a formula", [&](Configuration& p) { read_height_formula(p, definition); }},
                       {"heights", "heights at the grid points", read_heights}},
                      "the surface is a smooth spline through its heights");
}

}  // namespace

std::vector<ObstacleDefinition> read_character_obstacles(Configuration& scene) {
  std::vector<ObstacleDefinition> obstacles;
  const auto read = [&](Configuration& entry) {
    ObstacleDefinition definition;
    definition.name = entry.text("name", {.documentation = "unique name of the obstacle"});
    definition.where = entry.location();
    Obstacle& obstacle = definition.obstacle;
    const auto read_solid = [&](void (*read)(Configuration&, ObstacleDefinition&)) {
      return [&definition, read](Configuration& p) {
        place_obstacle(p, definition.obstacle, "of the origin of the mesh or formula");
        read(p, definition);
      };
    };
    entry.branch("type",
                 {{"plane", "the half space below a plane", [&](Configuration& p) { read_plane(p, obstacle); }},
                  {"box", "a box with rounded edges", [&](Configuration& p) { read_box(p, obstacle); }},
                  {"sphere", "a sphere", [&](Configuration& p) { read_sphere(p, obstacle); }},
                  {"height_field", "the space below a surface over the plane of x and y",
                   [&](Configuration& p) { read_height_field(p, definition); }},
                  {"mesh", "the solid within a closed surface", read_solid(read_mesh_obstacle)},
                  {"distance_grid", "the solid where a distance is negative", read_solid(read_formula_grid)}},
                 {}, "kind of the obstacle");
    const bool is_double = std::any_of(obstacles.begin(), obstacles.end(),
                                       [&](const ObstacleDefinition& other) { return other.name == definition.name; });
    if (is_double)
      entry.problem(entry.location("name"), fmt::format("two obstacles are named '{}'; names must differ", definition.name));
    obstacles.push_back(std::move(definition));
  };
  scene.each("obstacles", read, "solids that the character's spheres and vertices touch");
  return obstacles;
}

namespace {

Eigen::Isometry3d pose_of(const articulated::RigidFrame<double>& frame) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.linear()(i, j) = frame.rotation(i, j);
    pose.translation()[i] = frame.origin[i];
  }
  return pose;
}

}  // namespace

CharacterObstacles::CharacterObstacles(const std::vector<ObstacleDefinition>& definitions, double largest_radius) {
  for (const ObstacleDefinition& definition : definitions) {
    names_.push_back(definition.name);
    obstacles_.push_back(definition.obstacle);
    heights_.emplace_back();
    solids_.emplace_back();
    Obstacle& obstacle = obstacles_.back();
    if (definition.solid) {
      GridSolid& solid = solids_.back() = definition.solid(largest_radius);
      obstacle = solid.grid.obstacle(pose_of(definition.obstacle.frame));
      for (std::array<double, 3>& vertex : solid.surface.vertices)  // to the frame of the grid
        for (std::size_t i = 0; i < 3; ++i) vertex[i] -= solid.grid.origin[Eigen::Index(i)];
    }
    if (!definition.heights) continue;
    heights_.back() = articulated::height_coefficients(definition.heights(), obstacle.columns, obstacle.rows);
    obstacle.heights = heights_.back().data();
  }
}

double largest_contact_radius(const articulated::CharacterModel& model) {
  double largest = 0;
  for (const articulated::ContactPoint& point : model.contact_points()) largest = std::max(largest, point.radius);
  return largest;
}

}  // namespace holo
