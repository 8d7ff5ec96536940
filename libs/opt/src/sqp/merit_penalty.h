#pragma once
// The weight of constraints in the L1 merit function, from the multipliers: far too large a weight makes steps tiny, too small
// a one takes the wrong ones.

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
  // At each iteration: the largest absolute multiplier after the step; of objective and constraints along it.
  void update(double largest_multiplier, double slope, double curvature, double constraint_sum);

 private:
  double value_ = 0;
  int iterations_since_fall_ = 0;
};

}  // namespace holo
