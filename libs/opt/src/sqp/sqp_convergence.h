#pragma once
// Convergence criteria of sequential quadratic programming: stationarity, a small step, or negligible gains of the objective.

#include <algorithm>
#include <cmath>

#include "holo/opt/sqp/sqp_iteration.h"
#include "holo/opt/sqp/sqp_state.h"

namespace holo {

class SqpConvergence {
 public:
  explicit SqpConvergence(double tolerance) : tolerance_(tolerance) {}
  void load(const SqpState& state) { small_gains_ = state.small_gains; }
  void store(SqpState& state) const { state.small_gains = small_gains_; }

  // Before the step: whether the point is stationary and feasible to the tolerance.
  bool is_optimal(const SqpIteration& log) const { return std::max(log.stationarity, log.constraint_largest) <= tolerance_; }
  // After the step: whether it was the last. `gain`: decrease of the objective; `constraint_largest`: at the new point.
  bool is_last(const SqpIteration& log, double gain, double constraint_largest) {
    constexpr double small_step = 1e-7, small_step_feasibility = 1e-9;  // below the one at a point that feasible
    constexpr double small_gain = 1e-9;                                 // relative, of the objective
    constexpr int small_gains_allowed = 3;
    const bool small =
        log.step_length == 1 && std::abs(gain) < small_gain * std::abs(log.objective) && constraint_largest <= tolerance_;
    small_gains_ = small ? small_gains_ + 1 : 0;
    return (log.step_length * log.step_largest < small_step && constraint_largest < small_step_feasibility) ||
           small_gains_ >= small_gains_allowed;
  }
  // Counts gains from 0 again, after a change of the objective.
  void restart() { small_gains_ = 0; }

 private:
  double tolerance_;
  int small_gains_ = 0;
};

}  // namespace holo
