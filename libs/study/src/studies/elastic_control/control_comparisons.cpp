// The next frame of a controlled motion in other ways than its own.

#include "studies/elastic_control/control_study.h"
#include "studies/elastic_control/frame_clock.h"

namespace holo {

std::vector<DenseResult> ElasticControl::compare_methods(const std::vector<DenseMethod>& methods, int iterations) {
  const FrameResult frame = solve_frame();
  if (frame.status != FrameStatus::solved) return {};
  return holo::compare_methods(solver_->inverse_step, {state_, activations_, frame.lag_positions, control_.frame.warm_start},
                               activation_bounds(segments_, unit_), methods, iterations);
}

std::string ElasticControl::objection_to_complementarity() const {
  return comparison::objection_to_linear_contact(elastic_scene_);
}

comparison::FrameToLinearize ElasticControl::frame_to_linearize() {
  return {elastic_scene_, losses_.begin(state_, before_ ? &*before_ : nullptr, activations_, progress_),
          state_,         activations_,
          unit_,          activation_bounds(segments_, unit_)};
}

ComplementarityFrame ElasticControl::step_by_complementarity(int contacts, const ComplementarityOptions& options) {
  ComplementarityFrame found = solve_by_complementarity(frame_to_linearize(), contacts, options);
  if (found.end.size() == 0) return found;
  before_ = state_;
  Eigen::VectorXd end = found.end;
  solver_->integrator.advance(state_, end);
  activations_ = unit_ * found.search.activations;
  progress_ = progress_at(phases_, progress_, state_.step, observation());
  return found;
}

std::optional<ContactComparison> ElasticControl::compare_contacts(const std::vector<int>& contacts,
                                                                  const ComplementarityOptions& options) {
  ContactComparison result;
  const FrameClock clock;
  result.frame = solve_frame();
  result.time = clock.seconds();
  if (result.frame.status != FrameStatus::solved) return std::nullopt;
  result.contacts =
      summarize_contact(elastic_scene_.contact, result.frame.end.positions, result.frame.end.time).touching_vertices;
  InverseStep& step = solver_->inverse_step;
  const ComparedFrame frame{state_, activations_, result.frame.lag_positions};
  result.start_objective = objective_at(step, frame, activations_ / unit_);
  result.objective = objective_at(step, frame, result.frame.activations / unit_);
  for (const int count : contacts) {
    ComplementarityFrame found = solve_by_complementarity(frame_to_linearize(), count, options);
    found.objective = objective_at(step, frame, found.search.activations);
    result.complementarity.push_back(std::move(found));
  }
  return result;
}

}  // namespace holo
