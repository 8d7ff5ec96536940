#pragma once
// Log of one iteration of sequential quadratic programming, for problems of any structure.

namespace holo {

struct SqpIteration {
  int iteration = 0;          // from 1
  double objective = 0;       // before the step
  double constraint_sum = 0;  // of absolute values, before the step
  double constraint_largest = 0;
  double stationarity = 0;               // |(H + shift) d| over max(100, mean |multiplier|) / 100
  double step_largest = 0;               // of the full step
  double step_length = 0;                // accepted fraction; 0 for the last iteration, which only detects convergence
  double penalty = 0;                    // of the merit function
  bool second_order_correction = false;  // taken
  int evaluations = 0;                   // by the line search
};

}  // namespace holo
