#pragma once
// The Dirichlet conditions of a scene over time: which vertices are prescribed at a time, and where they are.

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "holo/sim/elastic/handles/handle_motion.h"

namespace holo {

// Vertices that share a prescribed motion, along some of the axes.
struct ElasticHandle {
  std::vector<int> vertices;  // ascending, in the model's numbering; at least one
  MotionDefinition motion;
  double release_time;  // [s], > 0; +infinity: never
  std::array<bool, 3> along = {true, true, true};
};

class DirichletSchedule {
 public:
  // No vertex may be in two handles along the same axis.
  void add(ElasticHandle handle) { handles_.push_back(std::move(handle)); }
  const std::vector<ElasticHandle>& handles() const { return handles_; }

  // For a time step that ends at `end` [s]: sets `prescribed` [3 * vertex] to 1 for the coordinates of handles that are not
  // released by then and to 0 for all others, and writes the targets of the former [3 * vertex] [m]; other targets stay. A step
  // that ends at the release is still prescribed. `start_positions` [3 * vertex] [m]: those that motions start from. All three
  // have the size of the model.
  void prescribe(const Eigen::VectorXd& start_positions, double end, std::vector<std::uint8_t>& prescribed,
                 Eigen::VectorXd& targets) const;

 private:
  std::vector<ElasticHandle> handles_;
};

}  // namespace holo
