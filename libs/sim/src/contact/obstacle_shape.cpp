#include "holo/sim/contact/obstacle_shape.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "elastic/scene_numbers.h"
#include "holo/sim/mesh/shapes.h"
#include "holo/sim/mesh/surface_mesh.h"

namespace holo {
namespace {

constexpr double farthest_point = 1e7;  // of obstacles [m], as of placements

struct Axis {
  Vector3d start, end;
};

Axis read_segment(Configuration& parameters) {
  const auto end_of = [&](const char* key) {
    return parameters.vector3(
        key, {.unit = "m", .minimum = -farthest_point, .maximum = farthest_point, .documentation = "end of the axis"});
  };
  const Axis axis{end_of("start"), end_of("end")};
  if (!parameters.recording() && squared_length(axis.end - axis.start) == 0)
    parameters.problem(parameters.location("end"), "start and end are the same point; the axis needs a length.");
  return axis;
}

ObstacleShapeSource read_sphere(Configuration& parameters) {
  const Vector3d center = parameters.vector3(
      "center", {.unit = "m", .minimum = -farthest_point, .maximum = farthest_point, .default_value = Vector3d{}});
  const double radius = parameters.number("radius", positive("m", ""));
  return [=] { return sphere_obstacle(center, radius); };
}

ObstacleShapeSource read_capsule(Configuration& parameters) {
  const Axis axis = read_segment(parameters);
  const double radius = parameters.number("radius", positive("m", ""));
  return [=] { return capsule_obstacle(axis.start, axis.end, radius); };
}

ObstacleShapeSource read_cylinder(Configuration& parameters) {
  const Axis axis = read_segment(parameters);
  const double radius = parameters.number("radius", positive("m", ""));
  const int sides = static_cast<int>(parameters.integer(
      "sides", {.minimum = 3, .maximum = 10000, .default_value = 64, .documentation = "faces around the axis"}));
  return [=] { return cylinder_obstacle(axis.start, axis.end, radius, sides); };
}

ObstacleShapeSource read_box(Configuration& parameters) {
  const Vector3d size = parameters.vector3(
      "size", {.unit = "m", .minimum = 0, .maximum = farthest_point, .documentation = "of the box from [0, 0, 0], > 0"});
  if (!parameters.recording() && !(size[0] > 0 && size[1] > 0 && size[2] > 0))
    parameters.problem(parameters.location("size"), "a box needs three lengths above 0 m.");
  return [=] { return box_obstacle(size); };
}

// The file is read, and its surface checked, when the obstacle is made.
ObstacleShapeSource read_surface(Configuration& parameters) {
  const std::filesystem::path file = parameters.file("file", "surface in the OBJ format");
  const double scale = parameters.number(
      "scale", {.minimum = 0, .minimum_excluded = true, .default_value = 1.0, .documentation = "meters per unit of the file"});
  const bool may_be_open = parameters.boolean("open", false, "whether the surface may end at edges of one triangle");
  return [=]() -> ObstacleShape {
    const SurfaceMesh mesh = read_surface_mesh(file, scale);
    require_surface(mesh, may_be_open);
    return {mesh.vertices, {}, mesh.triangles, 0};
  };
}

}  // namespace

ObstacleShape sphere_obstacle(const Vector3d& center, double radius) { return {{center}, {}, {}, radius}; }

ObstacleShape capsule_obstacle(const Vector3d& start, const Vector3d& end, double radius) {
  return {{start, end}, {{0, 1}}, {}, radius};
}

// Two rings of corners, whose distance from the axis is that of a circumscribed polygon, and the centers of both ends.
ObstacleShape cylinder_obstacle(const Vector3d& start, const Vector3d& end, double radius, int sides) {
  const Vector3d along = end - start, axis = (1 / std::sqrt(squared_length(along))) * along;
  const Vector3d helper = std::abs(axis[0]) < 0.6 ? Vector3d{1, 0, 0} : Vector3d{0, 1, 0};
  const Vector3d across = helper - dot(helper, axis) * axis;
  const double corner_radius = radius / std::cos(std::numbers::pi / sides);
  const Vector3d first = (corner_radius / std::sqrt(squared_length(across))) * across;
  ObstacleShape shape;
  for (int i = 0; i < sides; ++i) {
    const Vector3d corner = rotate(first, axis, 2 * std::numbers::pi * i / sides);
    shape.vertices.push_back(start + corner);
    shape.vertices.push_back(end + corner);
  }
  const int low = 2 * sides, high = low + 1;
  shape.vertices.push_back(start);
  shape.vertices.push_back(end);
  for (int i = 0; i < sides; ++i) {
    const int a = 2 * i, b = a + 1, c = 2 * ((i + 1) % sides), d = c + 1;
    shape.triangles.insert(shape.triangles.end(), {{a, c, d}, {a, d, b}, {low, c, a}, {high, b, d}});
  }
  return shape;
}

ObstacleShape boundary_obstacle(const TetrahedralMesh& mesh) { return {mesh.vertices, {}, boundary_triangles(mesh), 0}; }

ObstacleShape box_obstacle(const Vector3d& size) { return boundary_obstacle(box_mesh(size, 6)); }

const std::vector<ObstacleType>& obstacle_types() {
  static const std::vector<ObstacleType> types = {{"sphere", "a sphere", read_sphere},
                                                  {"capsule", "a cylinder with half spheres at its ends", read_capsule},
                                                  {"cylinder", "a prism around a cylinder, with flat ends", read_cylinder},
                                                  {"box", "a box", read_box},
                                                  {"surface", "a surface of triangles from a file", read_surface}};
  return types;
}

}  // namespace holo
