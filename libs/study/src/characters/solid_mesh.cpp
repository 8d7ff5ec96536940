#include "characters/solid_mesh.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace holo {

namespace {

using SolidKind = CollisionShape::Kind;
constexpr int corners_around = 20, rings_of_cap = 5;

int point_count(const SceneBody& body) { return int(body.points.size()); }

void add_mesh_point(const Eigen::Vector3d& point, SceneBody& body) {
  body.points.push_back({point[0], point[1], point[2]});
  body.vertex_count = std::int64_t(body.points.size());
}

// A point of the profile of a solid of revolution about z.
struct ProfilePoint {
  double radius, height;
};

// Rings of the profile, which runs from its lowest point to its highest one; a point on the axis is one point of the mesh.
void add_revolved(const std::vector<ProfilePoint>& profile, const Eigen::Isometry3d& pose, const Eigen::Vector3d& scale,
                  SceneBody& body) {
  const auto corner = [&](int first, double radius, int i) { return radius > 0 ? first + i % corners_around : first; };
  int below = 0;
  for (std::size_t ring = 0; ring < profile.size(); ++ring) {
    const double radius = profile[ring].radius, below_radius = ring > 0 ? profile[ring - 1].radius : 0;
    const int here = point_count(body);
    for (int i = 0; i < (radius > 0 ? corners_around : 1); ++i) {
      const double angle = 2 * std::numbers::pi * i / corners_around;
      add_mesh_point(
          pose * scale.cwiseProduct(Eigen::Vector3d(radius * std::cos(angle), radius * std::sin(angle), profile[ring].height)),
          body);
    }
    const bool is_rim = ring > 0 && radius == below_radius && profile[ring].height == profile[ring - 1].height;
    for (int i = 0; ring > 0 && !is_rim && i < corners_around; ++i) {
      const int a = corner(below, below_radius, i), b = corner(below, below_radius, i + 1);
      const int c = corner(here, radius, i), d = corner(here, radius, i + 1);
      if (below_radius > 0) body.triangles.push_back({a, b, d});
      if (radius > 0) body.triangles.push_back({a, d, c});
    }
    below = here;
  }
}

// Half circles of the radius around the heights -half_length and half_length.
std::vector<ProfilePoint> capsule_profile(double radius, double half_length) {
  std::vector<ProfilePoint> profile;
  for (const double side : {-1.0, 1.0})
    for (int i = half_length == 0 && side > 0 ? 1 : 0; i <= rings_of_cap; ++i) {  // a sphere has one equator
      const double angle = 0.5 * std::numbers::pi * (side < 0 ? i - rings_of_cap : i) / rings_of_cap;
      const bool is_pole = std::abs(std::abs(angle) - 0.5 * std::numbers::pi) < 1e-9;
      profile.push_back({is_pole ? 0 : radius * std::cos(angle), side * half_length + radius * std::sin(angle)});
    }
  return profile;
}

// Each face has corners of its own, so that it is drawn flat.
void add_box(const Eigen::Isometry3d& pose, const Eigen::Vector3d& half_sizes, SceneBody& body) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const int first = point_count(body);
      Eigen::Vector3d u = Eigen::Vector3d::Unit((axis + 1) % 3), v = Eigen::Vector3d::Unit((axis + 2) % 3);
      if (side < 0) u.swap(v);
      for (const auto& [s, t] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
        add_mesh_point(pose * half_sizes.cwiseProduct(side * Eigen::Vector3d::Unit(axis) + s * u + t * v), body);
      body.triangles.insert(body.triangles.end(), {{first, first + 1, first + 2}, {first, first + 2, first + 3}});
    }
}

}  // namespace

void add_solid_mesh(SolidKind kind, const Eigen::Isometry3d& pose, const Eigen::Vector3d& size, SceneBody& body) {
  const Eigen::Vector3d one = Eigen::Vector3d::Ones();
  if (kind == SolidKind::sphere) add_revolved(capsule_profile(size[0], 0), pose, one, body);
  if (kind == SolidKind::capsule) add_revolved(capsule_profile(size[0], size[1]), pose, one, body);
  if (kind == SolidKind::ellipsoid) add_revolved(capsule_profile(1, 0), pose, size, body);
  // Rings at the rims stand twice, so that the ends are drawn flat.
  if (kind == SolidKind::cylinder)
    add_revolved(
        {{0, -size[1]}, {size[0], -size[1]}, {size[0], -size[1]}, {size[0], size[1]}, {size[0], size[1]}, {0, size[1]}}, pose,
        one, body);
  if (kind == SolidKind::box) add_box(pose, size, body);
}

void add_triangles(const SurfaceMesh& surface, const Eigen::Isometry3d& pose, SceneBody& body) {
  const int first = point_count(body);
  for (const std::array<double, 3>& vertex : surface.vertices)
    add_mesh_point(pose * Eigen::Map<const Eigen::Vector3d>(vertex.data()), body);
  for (const auto& [a, b, c] : surface.triangles) body.triangles.push_back({first + a, first + b, first + c});
}

void add_surface_mesh(const std::vector<Eigen::Vector3d>& points, int columns, int rows, SceneBody& body) {
  const int first = point_count(body);
  for (const Eigen::Vector3d& point : points) add_mesh_point(point, body);
  for (int row = 0; row + 1 < rows; ++row)
    for (int column = 0; column + 1 < columns; ++column) {
      const int a = first + row * columns + column, b = a + 1, c = a + columns, d = c + 1;
      body.triangles.insert(body.triangles.end(), {{a, b, d}, {a, d, c}});
    }
}

}  // namespace holo
