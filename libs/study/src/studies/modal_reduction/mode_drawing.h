#pragma once
// Vibration modes as they are drawn: the surface of a body that swings in each of them.

#include <string>
#include <vector>

#include "holo/sim/elastic/elastic_model.h"
#include "holo/study/scene.h"

namespace holo {

class SwingingModes {
 public:
  SwingingModes() = default;
  // The first body of a model, for `count` modes, in a row along x behind everything that is drawn: from the corner `corner`
  // [m] on.
  SwingingModes(const ElasticModel& model, int count, const Eigen::Vector3d& corner);

  // Bodies named "mode 1", ...
  void add_to(Scene& scene) const;
  int count() const { return count_; }
  Eigen::Index rows() const { return 3 * Eigen::Index(vertices_.size()); }
  // Displacements of the surface [rows()][mode], out of those of all vertices [3 * vertex][mode], so large that the largest is
  // an eighth of the body's length.
  Eigen::MatrixXd drawn_shapes(const Eigen::MatrixXd& shapes) const;
  // Appends the positions at a time [s]: one swing in a second; without shapes the bodies are at rest.
  void draw(const Eigen::MatrixXd& shapes, double time, SceneFrame& frame) const;

 private:
  int count_ = 0;
  double length_ = 1;
  std::vector<int> vertices_;  // of the surface
  std::vector<std::array<int, 3>> triangles_;
  Eigen::VectorXd rest_;                 // [3 * vertex of the surface]
  std::vector<Eigen::Vector3d> places_;  // [mode] added to the rest positions
};

}  // namespace holo
