#include "contact/separate_surfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "contact/active_pairs.h"
#include "holo/core/error.h"
#include "holo/sim/intersection/surface_intersections.h"

namespace holo {
namespace {

std::string both(const MeshContact& contact, int a, int b) {
  const auto name = [&](int body) { return contact.names[static_cast<std::size_t>(body)]; };
  return a == b ? fmt::format("'{}' and itself", name(a)) : fmt::format("'{}' and '{}'", name(a), name(b));
}

std::string place(const Eigen::Vector3d& x) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", x[0], x[1], x[2]); }

// Of all pairs that may collide: the first intersection, and which other bodies intersect.
void require_no_intersections(const MeshContact& contact, const Eigen::VectorXd& x, const Location& location) {
  const CollisionMesh& mesh = *contact.mesh;
  const TriangleSurface surface{{x.data(), static_cast<std::size_t>(x.size())}, mesh.triangles, mesh.triangle_bodies};
  std::set<std::array<int, 2>> bodies;
  const EdgeTriangleIntersection* first = nullptr;
  const std::vector<EdgeTriangleIntersection> found = find_intersections(surface);
  for (const EdgeTriangleIntersection& each : found)
    if (mesh.may_collide(each.edge_body, each.triangle_body)) {
      if (!first) first = &each;
      bodies.insert({std::min(each.edge_body, each.triangle_body), std::max(each.edge_body, each.triangle_body)});
    }
  if (!first) return;
  std::string others;
  for (const auto& [a, b] : bodies)
    if (a != std::min(first->edge_body, first->triangle_body) || b != std::max(first->edge_body, first->triangle_body))
      others += (others.empty() ? " So do " : ", ") + both(contact, a, b);
  if (!others.empty()) others += ".";
  throw_input_error(
      location, fmt::format("{} begin intersecting: the edge from {} to {} goes through a triangle.{} Surfaces that collide "
                            "must begin apart from each other; move them.",
                            both(contact, first->edge_body, first->triangle_body), place(x.segment<3>(3 * first->edge[0])),
                            place(x.segment<3>(3 * first->edge[1])), others));
}

}  // namespace

void require_separate_surfaces(const Eigen::VectorXd& points, const std::shared_ptr<const MeshContact>& contact,
                               double activation_distance, const Location& location) {
  const Eigen::VectorXd x = contact->with_obstacles(points, 0);
  require_no_intersections(*contact, x, location);
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * x.cwiseAbs().maxCoeff();
  ActivePairs pairs(contact, activation_distance);
  for (const ActivePair& pair : pairs.at(points)) {
    const std::string names = both(*contact, pair.bodies[0], pair.bodies[1]);
    if (pair.distance < -rounding)
      throw_input_error(location,
                        fmt::format("{} begin intersecting: a surface reaches {:.3g} m into the round obstacle at {}. "
                                    "Surfaces that collide must begin apart from each other; move them.",
                                    names, -pair.distance, place(pair.x.head<3>())));
    if (!(pair.distance > rounding))
      throw_input_error(location, fmt::format("{} begin in contact at {}: their distance there, {:.3g} m, is lost in the "
                                              "rounding errors of positions. Surfaces that collide must begin apart from each "
                                              "other; move them by a part of the activation distance.",
                                              names, place(pair.x.head<3>()), pair.distance));
    if (pair.bodies[0] == pair.bodies[1])
      throw_input_error(location, fmt::format("at the start the distance of {} is {:.3g} m at {}, less than the activation "
                                              "distance {:.3g} m, so that it would repel itself at rest. Give a smaller "
                                              "contact.activation_distance.",
                                              names, pair.distance, place(pair.x.head<3>()), activation_distance));
  }
}

}  // namespace holo
