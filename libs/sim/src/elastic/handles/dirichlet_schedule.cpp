#include "holo/sim/elastic/handles/dirichlet_schedule.h"

#include <algorithm>

namespace holo {

void DirichletSchedule::prescribe(const Eigen::VectorXd& start_positions, double end, std::vector<std::uint8_t>& prescribed,
                                  Eigen::VectorXd& targets) const {
  std::fill(prescribed.begin(), prescribed.end(), std::uint8_t{0});
  for (const ElasticHandle& handle : handles_) {
    // `end` is a rounded product; the margin keeps the step that ends at the release.
    if (end >= handle.release_time * (1 + 1e-12)) continue;
    for (int vertex : handle.vertices) {
      const auto& X = start_positions;
      const Vector3d target = handle.motion.position({X[3 * vertex], X[3 * vertex + 1], X[3 * vertex + 2]}, end);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!handle.along[axis]) continue;
        targets[3 * vertex + Eigen::Index(axis)] = target[axis];
        prescribed[3 * std::size_t(vertex) + axis] = 1;
      }
    }
  }
}

}  // namespace holo
