#pragma once
// Schedule of the moves of the regularizer's center.

#include "holo/opt/staged/staged_sqp.h"

namespace holo {

class ScheduledRegularizer {
 public:
  ScheduledRegularizer(OptimalControlProblem& problem, RegularizerSchedule schedule) : problem_(problem), schedule_(schedule) {}

  // Starts a new optimization.
  static void begin(RegularizerSchedule schedule, const StagedPoint& point, StagedSqpState& state) {
    state.center = point.parameters;
    state.center_updates = 0;
    state.center_change = schedule == RegularizerSchedule::off ? 0.0 : std::numeric_limits<double>::infinity();
    state.next_center_update = schedule == RegularizerSchedule::every ? 1 : 2;
  }
  void load(const StagedSqpState& state) {
    center_ = state.center;
    updates_ = state.center_updates;
    change_ = state.center_change;
    next_ = state.next_center_update;
  }
  void store(StagedSqpState& state) const {
    state.center = center_;
    state.center_updates = updates_;
    state.center_change = change_;
    state.next_center_update = next_;
  }
  // Called after a step; whether the center moved, which changes the objective.
  bool after(int iteration, const StagedPoint& point) {
    if (schedule_ == RegularizerSchedule::off || iteration < next_) return false;
    next_ = schedule_ == RegularizerSchedule::every ? iteration + 1 : 2 * next_;
    return move(point);
  }
  // Called at a minimum; whether the center moved again, so that the optimization continues.
  bool at_minimum(const StagedPoint& point) {
    constexpr double at_rest = 1e-4;
    constexpr int most_updates = 5;
    return !(change_ < at_rest) && updates_ < most_updates && move(point);
  }

 private:
  bool move(const StagedPoint& point) {
    if (!problem_.recenter(point)) {
      change_ = 0;
      return false;
    }
    change_ = point.parameters.size() == 0 ? 0.0 : (point.parameters - center_).lpNorm<Eigen::Infinity>();
    center_ = point.parameters;
    ++updates_;
    return true;
  }

  OptimalControlProblem& problem_;
  RegularizerSchedule schedule_;
  Eigen::VectorXd center_;
  int updates_ = 0, next_ = 2;
  double change_ = 0;
};

}  // namespace holo
