#pragma once
// State of sequential quadratic programming between two iterations, without the point and the multipliers: plain numbers for a
// checkpoint.

namespace holo {

struct SqpState {
  int iteration = 0;   // done so far
  double penalty = 0;  // of the merit function
  int iterations_since_penalty_fell = 0;
  int small_gains = 0;  // successive iterations with a negligible gain
};

}  // namespace holo
