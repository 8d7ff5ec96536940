#pragma once
// The muscles of a controlled motion as they are drawn: the activation as a field of the bodies, and the segments in the color
// of what they do.

#include <array>
#include <vector>

#include "holo/sim/control/controlled_segments.h"
#include "holo/study/scene.h"

namespace holo {

class MuscleDrawing {
 public:
  // The model lives longer.
  MuscleDrawing(const ElasticModel& model, const std::vector<ControlledSegment>& segments);

  void add_to(Scene& scene) const;
  // The field and the glyphs' points for activations [segment] [Pa] at positions [3 * vertex] [m].
  void draw(const Eigen::VectorXd& positions, const Eigen::VectorXd& activations, SceneFrame& frame) const;

 private:
  // A point of a body: an element's vertices in the model's numbering, and its barycentric coordinates.
  struct Anchor {
    std::array<int, 4> vertices = {};
    Eigen::Vector4d weights = Eigen::Vector4d::Zero();
  };
  Anchor anchor_of(const ControlledSegment& segment, const Eigen::Vector3d& point) const;

  const ElasticModel& model_;
  std::vector<ControlledSegment> segments_;
  std::vector<std::array<Anchor, 2>> ends_;  // [segment]
  std::vector<double> elements_at_;          // [vertex] how many elements it has
};

}  // namespace holo
