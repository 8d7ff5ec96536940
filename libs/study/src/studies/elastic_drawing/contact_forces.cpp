#include "studies/elastic_drawing/contact_forces.h"

#include <optional>

#include "holo/sim/dynamics/embedded_step.h"
#include "holo/sim/dynamics/potential_terms.h"
#include "studies/elastic_drawing/body_drawing.h"

namespace holo {

void ContactForces::add_to(Scene& scene) const {
  if (has_contact()) scene.arrows.push_back({"contact_force", "N", "on a vertex, of barriers and friction", Hue::green});
}

void ContactForces::make_terms() {
  if (!terms_.empty() && stiffness_ == scene_.contact.barrier.stiffness) return;
  stiffness_ = scene_.contact.barrier.stiffness;
  terms_ = contact_terms(scene_);
}

void ContactForces::begin_step(const StepContext& step) {
  const Embedding* embedding = scene_.model->embedding().get();
  const std::optional<EmbeddedStep> of_points = embedding ? std::make_optional<EmbeddedStep>(step, *embedding) : std::nullopt;
  for (const std::unique_ptr<PotentialTerm>& term : terms_) term->begin_step(of_points ? of_points->context() : step);
}

void ContactForces::draw(const ElasticState* before, const ElasticState& state, SceneFrame& frame) {
  frame.arrows.clear();
  if (!has_contact()) return;
  make_terms();
  const StepContext rest{state.positions, state.velocities, scene_.integration.time_step, state.time, state.time};
  begin_step(before != nullptr ? scene_.step_from(*before) : rest);
  const Eigen::VectorXd points = scene_.contact.surface->points(state.positions);
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(points.size());
  for (const std::unique_ptr<PotentialTerm>& term : terms_) {
    term->update_lag(points);
    term->add_gradient(points, gradient);
  }
  std::vector<VertexArrow>& arrows = frame.arrows.emplace_back();
  std::uint32_t drawn = 0;  // number of the vertex in the picture
  for (std::size_t b = 0; b < scene_.model->bodies().size(); ++b) {
    const DrawnPoints of_body = drawn_points(*scene_.model, b);
    for (int point = of_body.first; point < of_body.first + of_body.count; ++point, ++drawn) {
      const Eigen::Vector3f force = -gradient.segment<3>(3 * point).cast<float>();
      if (!force.isZero(0)) arrows.push_back({drawn, {force[0], force[1], force[2]}});
    }
  }
}

}  // namespace holo
