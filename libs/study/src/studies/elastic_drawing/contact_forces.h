#pragma once
// Forces of contact on the vertices of elastic bodies as they are drawn: arrows in the frames of a run.

#include <memory>
#include <vector>

#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/sim/dynamics/potential_term.h"
#include "holo/study/scene.h"

namespace holo {

class ContactForces {
 public:
  // Without contact there are none. The scene lives longer, and its stiffness of contact may change.
  explicit ContactForces(const ElasticScene& scene) : scene_(scene) {}

  void add_to(Scene& scene) const;
  // The forces [N] at a state, on each vertex that feels one: those of barriers, and of friction with their normal forces in
  // the step from `before`. Null: friction is left out, as before the first step.
  void draw(const ElasticState* before, const ElasticState& state, SceneFrame& frame);

 private:
  bool has_contact() const { return scene_.contact.surface != nullptr; }
  void make_terms();
  void begin_step(const StepContext& step);

  const ElasticScene& scene_;
  double stiffness_ = 0;                               // of contact, with which the terms were made [Pa/m]
  std::vector<std::unique_ptr<PotentialTerm>> terms_;  // of points
};

}  // namespace holo
