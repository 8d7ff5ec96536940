#include "holo/sim/contact/contact_with_others.h"

#include <algorithm>
#include <vector>

#include "contact/active_pairs.h"
#include "holo/sim/contact/plane.h"

namespace holo {
namespace {

void add_pairs_of_others(const SceneContact& contact, const Eigen::VectorXd& points, double time, double reach,
                         ContactWithOthers& result) {
  ActivePairs pairs(contact.mesh, reach);
  pairs.begin_step(time, time);
  std::vector<char> touches(static_cast<std::size_t>(contact.mesh->model_vertices), 0);
  for (const ActivePair& pair : pairs.at(points)) {
    if (pair.bodies[0] == pair.bodies[1]) continue;
    result.smallest_gap = std::min(result.smallest_gap, pair.distance);
    if (pair.distance >= contact.barrier.distance) continue;
    for (int i = 0; i < pair.features.node_count; ++i) {
      const int vertex = pair.vertices[static_cast<std::size_t>(pair.features.nodes[static_cast<std::size_t>(i)])];
      if (!contact.mesh->is_fixed(vertex)) touches[static_cast<std::size_t>(vertex)] = 1;
    }
  }
  result.touching_vertices += static_cast<int>(std::count(touches.begin(), touches.end(), 1));
}

}  // namespace

ContactWithOthers contact_with_others(const SceneContact& contact, const Eigen::VectorXd& positions, double time,
                                      double reach) {
  ContactWithOthers result;
  if (!contact.surface) return result;
  const Eigen::VectorXd points = contact.surface->points(positions);
  for (const PlaneDefinition& definition : contact.planes) {
    const Plane plane(definition.at(time));
    for (const int vertex : contact.surface->vertices) {
      const double gap = plane.gap(points.segment<3>(3 * vertex));
      result.smallest_gap = std::min(result.smallest_gap, gap);
      result.touching_vertices += gap < contact.barrier.distance;
    }
  }
  if (contact.mesh) add_pairs_of_others(contact, points, time, reach, result);
  return result;
}

}  // namespace holo
