#pragma once
// When the regularizer's centre moves, and whether it may rest where it is.

#include "holo/opt/staged/staged_sqp.h"

namespace holo {

class ScheduledRegularizer {
 public:
  ScheduledRegularizer(StagedProblem& problem, RegularizerSchedule schedule) : problem_(problem), schedule_(schedule) {}

  void begin(const StagedPoint& point) {
    centre_ = point.parameters;
    updates_ = 0;
    change_ = std::numeric_limits<double>::infinity();
    next_ = schedule_ == RegularizerSchedule::every ? 1 : 2;
    if (schedule_ == RegularizerSchedule::off) change_ = 0;
  }
  // After a step: whether the objective has changed.
  bool after(int iteration, const StagedPoint& point) {
    if (schedule_ == RegularizerSchedule::off || iteration < next_) return false;
    next_ = schedule_ == RegularizerSchedule::every ? iteration + 1 : 2 * next_;
    return move(point);
  }
  // At a minimum: whether the centre had to move again.
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
    change_ = point.parameters.size() == 0 ? 0.0 : (point.parameters - centre_).lpNorm<Eigen::Infinity>();
    centre_ = point.parameters;
    ++updates_;
    return true;
  }

  StagedProblem& problem_;
  RegularizerSchedule schedule_;
  Eigen::VectorXd centre_;
  int updates_ = 0, next_ = 2;
  double change_ = 0;
};

}  // namespace holo
