#pragma once
// Decrease of a penalty that has become much larger than the multipliers at feasible points, where it only shortens steps.

#include <algorithm>

#include "holo/opt/trajectory/trust_region_sqp.h"
#include "trajectory/constraint_merit.h"

namespace holo {

// After ten iterations in a row with mu > 100 max(1, |lambda|) mu becomes 2 |lambda|, at least its first value; at most three
// times, so that the merit function changes finitely often.
class PenaltyReset {
 public:
  void load(const TrustRegionSqpState& state) {
    count_ = state.iterations_with_large_penalty;
    resets_ = state.penalty_resets;
  }
  void store(TrustRegionSqpState& state) const {
    state.iterations_with_large_penalty = count_;
    state.penalty_resets = resets_;
  }
  void restart() { count_ = 0; }

  // At a feasible point; `multipliers`: |lambda| of scaled constraints, the dual of the merit function's norm.
  void update(double multipliers, double least_penalty, ConstraintMerit& merit) {
    constexpr double largest_ratio = 100;
    constexpr int patience = 10, most_resets = 3;
    count_ = merit.penalty() > largest_ratio * std::max(1.0, multipliers) ? count_ + 1 : 0;
    if (count_ < patience || resets_ == most_resets) return;
    merit.set_penalty(std::max(least_penalty, 2 * multipliers));
    count_ = 0;
    ++resets_;
  }

 private:
  int count_ = 0, resets_ = 0;
};

}  // namespace holo
