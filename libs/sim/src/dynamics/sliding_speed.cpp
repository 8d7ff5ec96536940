#include "holo/sim/dynamics/sliding_speed.h"

#include <algorithm>
#include <optional>

#include "dynamics/contact/friction_term.h"
#include "holo/sim/dynamics/embedded_step.h"

namespace holo {

SlidingSpeed::SlidingSpeed(const ElasticScene& scene) : scene_(scene) {
  if (!scene.contact.surface) return;
  for (std::unique_ptr<PotentialTerm>& term : contact_terms(scene))
    if (dynamic_cast<const FrictionTerm*>(term.get()) != nullptr) frictions_.push_back(std::move(term));
}

double SlidingSpeed::of_step(const ElasticState& before, const ElasticState& after) {
  if (frictions_.empty()) return 0;
  const StepContext step = scene_.step_from(before);
  const Embedding* embedding = scene_.model->embedding().get();
  const std::optional<EmbeddedStep> of_points = embedding ? std::make_optional<EmbeddedStep>(step, *embedding) : std::nullopt;
  const Eigen::VectorXd points = scene_.contact.surface->points(after.positions);
  double largest = 0;  // mean displacement [m]
  for (const std::unique_ptr<PotentialTerm>& term : frictions_) {
    term->begin_step(of_points ? of_points->context() : step);
    term->update_lag(points);
    std::map<std::array<int, 2>, SlidingSums> sums;
    dynamic_cast<const FrictionTerm&>(*term).add_sliding(points, sums);
    for (const auto& [bodies, sum] : sums)
      if (sum.normal_forces > 0) largest = std::max(largest, sum.moved / sum.normal_forces);
  }
  return largest / step.time_step;
}

}  // namespace holo
