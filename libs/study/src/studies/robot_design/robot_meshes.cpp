#include "studies/robot_design/robot_meshes.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace holo {

namespace {

constexpr int corners = 12, rings = 4;

// A tip, a ring at half the height of the cap and one at its foot, the same at the other end, and its tip.
void add_points(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius, SceneBody& body) {
  const Eigen::Vector3d way = to - from;
  const Eigen::Vector3d axis = way.norm() > 0 ? Eigen::Vector3d(way.normalized()) : Eigen::Vector3d(Eigen::Vector3d::UnitZ());
  const Eigen::Vector3d u = axis.unitOrthogonal(), v = axis.cross(u);
  const auto add = [&](const Eigen::Vector3d& point) { body.points.push_back({point[0], point[1], point[2]}); };
  const auto add_ring = [&](const Eigen::Vector3d& end, double along, double across) {
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      add(end + radius * (along * axis + across * (std::cos(angle) * u + std::sin(angle) * v)));
    }
  };
  // A pole, rings at 45 and 90 degrees of latitude at either end of the axis, and the other pole.
  const double slanted = std::sqrt(0.5);
  add(from - radius * axis);
  add_ring(from, -slanted, slanted);
  add_ring(from, 0, 1);
  add_ring(to, 0, 1);
  add_ring(to, slanted, slanted);
  add(to + radius * axis);
}

}  // namespace

void add_capsule_mesh(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius, bool see_through,
                      SceneBody& body) {
  const int first = int(body.points.size()), last = first + 1 + rings * corners;
  add_points(from, to, radius, body);
  body.vertex_count = std::int64_t(body.points.size());
  for (int i = 0; i < corners; i += see_through ? 2 : 1) {
    const int here = first + 1 + i, next = first + 1 + (i + 1) % corners;
    body.triangles.push_back({first, next, here});
    for (int ring = 0; ring + 1 < rings; ++ring) {
      const int below = ring * corners, above = below + corners;
      body.triangles.push_back({below + here, below + next, above + next});
      body.triangles.push_back({below + here, above + next, above + here});
    }
    const int top = (rings - 1) * corners;
    body.triangles.push_back({top + here, top + next, last});
  }
}

}  // namespace holo
