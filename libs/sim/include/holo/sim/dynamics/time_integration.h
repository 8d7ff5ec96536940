#pragma once
// The time steps of a simulation: implicit Euler with a constant step.

#include <cstdint>

namespace holo {

struct TimeIntegration {
  double time_step = 0;  // [s], > 0
  int step_count = 0;    // of the whole motion, >= 1

  // The time after `step` steps [s]. A product, so that it does not depend on how a state was reached.
  double time_at(std::int64_t step) const { return static_cast<double>(step) * time_step; }
};

}  // namespace holo
