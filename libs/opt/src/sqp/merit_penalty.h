#pragma once
// Penalty of constraints in the L1 merit function, from the multipliers. Too large a penalty makes steps tiny; too small a one
// accepts steps that violate the constraints.

#include "holo/opt/sqp/sqp_state.h"

namespace holo {

class MeritPenalty {
 public:
  void load(const SqpState& state) {
    value_ = state.penalty;
    iterations_since_fall_ = state.iterations_since_penalty_fell;
  }
  void store(SqpState& state) const {
    state.penalty = value_;
    state.iterations_since_penalty_fell = iterations_since_fall_;
  }
  double value() const { return value_; }
  // Updates the penalty at each iteration. `largest_multiplier`: absolute, after the step; `slope`, `curvature`: of the
  // objective along the step; `constraint_sum`: of absolute values.
  void update(double largest_multiplier, double slope, double curvature, double constraint_sum);

 private:
  double value_ = 0;
  int iterations_since_fall_ = 0;
};

}  // namespace holo
