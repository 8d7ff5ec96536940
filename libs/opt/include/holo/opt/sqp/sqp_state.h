#pragma once
// What sequential quadratic programming carries from one iteration to the next beside the point and the multipliers: plain
// numbers, to be written into a checkpoint.

namespace holo {

struct SqpState {
  int iteration = 0;   // done so far
  double penalty = 0;  // of the merit function
  int iterations_since_penalty_fell = 0;
  int small_gains = 0;  // in a row
};

}  // namespace holo
