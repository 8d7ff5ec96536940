#include "studies/elastic_drawing/contact_forces.h"

#include "holo/sim/dynamics/obstacle_term.h"
#include "holo/sim/dynamics/potential_terms.h"

namespace holo {

void ContactForces::add_to(Scene& scene) const {
  if (has_contact()) scene.arrows.push_back({"contact_force", "N", "on a vertex, of barriers and friction", Hue::green});
}

// Terms of contact are those with obstacles; the others of a time step are not needed.
void ContactForces::make_terms() {
  if (!terms_.empty() && stiffness_ == scene_.contact.barrier.stiffness) return;
  stiffness_ = scene_.contact.barrier.stiffness;
  terms_.clear();
  for (std::unique_ptr<PotentialTerm>& term : implicit_euler_terms(scene_))
    if (dynamic_cast<ObstacleTerm*>(term.get()) != nullptr) terms_.push_back(std::move(term));
}

void ContactForces::draw(const ElasticState* before, const ElasticState& state, SceneFrame& frame) {
  frame.arrows.clear();
  if (!has_contact()) return;
  make_terms();
  const StepContext rest{state.positions, state.velocities, scene_.integration.time_step, state.time, state.time};
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(state.positions.size());
  for (const std::unique_ptr<PotentialTerm>& term : terms_) {
    term->begin_step(before != nullptr ? scene_.step_from(*before) : rest);
    term->update_lag(state.positions);
    term->add_gradient(state.positions, gradient);
  }
  std::vector<VertexArrow>& arrows = frame.arrows.emplace_back();
  for (Eigen::Index v = 0; 3 * v < gradient.size(); ++v) {
    const Eigen::Vector3f force = -gradient.segment<3>(3 * v).cast<float>();
    if (!force.isZero(0)) arrows.push_back({static_cast<std::uint32_t>(v), {force[0], force[1], force[2]}});
  }
}

}  // namespace holo
