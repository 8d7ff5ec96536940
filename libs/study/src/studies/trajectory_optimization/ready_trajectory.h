#pragma once
// A plan's model with what it points to, for studies that optimize several plans one after another.

#include <memory>

#include "studies/trajectory_optimization/trajectory_study.h"

namespace holo {

class ReadyTrajectory {
 public:
  // Throws as make_trajectory_model does, and for signals out of their bounds.
  explicit ReadyTrajectory(const TrajectoryPlan& plan)
      : obstacles_(plan.scene.obstacles, largest_contact_radius(*plan.scene.character.model)) {
    ComputedSignals signals = compute_signals(plan.signals, plan.scene.time_step);
    signals.store.require_bounds();
    model_ = make_trajectory_model(plan, obstacles_, signals.store.values());
  }
  const articulated::TrajectoryModel& model() const { return *model_; }

 private:
  CharacterObstacles obstacles_;
  std::unique_ptr<articulated::TrajectoryModel> model_;
};

// The basis of a plan's first stage.
inline articulated::TrajectoryBasis first_basis(const TrajectoryPlan& plan) {
  return articulated::TrajectoryBasis::of_length(plan.scene.step_count, plan.stages.segment_length, plan.stages.end);
}

}  // namespace holo
