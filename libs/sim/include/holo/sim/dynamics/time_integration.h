#pragma once
// The time steps of a simulation: the scheme, its formulas, and a constant step.

#include <cstdint>

namespace holo {

enum class IntegrationScheme {
  implicit_euler,  // of first order; dissipates much
  bdf2             // backward differences of second order
};

// A formula that gives the end of a step from its start and, for BDF2, the start of the step before:
//
//   x_{n+1} = y + h v_{n+1},  v_{n+1} = w + h a_{n+1}
//   y = x_n + c (x_n - x_{n-1}),  w = v_n + c (v_n - v_{n-1}),  h = s dt
//
// Implicit Euler has c = 0 and s = 1, BDF2 has c = 1/3 and s = 2/3 [Hairer1993] Section III.1.
struct StepFormula {
  double extrapolation = 0;  // c
  double step_fraction = 1;  // s
  bool uses_previous() const { return extrapolation != 0; }
};

constexpr StepFormula formula_of(IntegrationScheme scheme) {
  return scheme == IntegrationScheme::bdf2 ? StepFormula{1.0 / 3, 2.0 / 3} : StepFormula{};
}

struct TimeIntegration {
  double time_step = 0;  // [s], > 0
  int step_count = 0;    // of the whole motion, >= 1
  IntegrationScheme scheme = IntegrationScheme::implicit_euler;

  // The time after `step` steps [s]. A product, so that it does not depend on how a state was reached.
  double time_at(std::int64_t step) const { return static_cast<double>(step) * time_step; }
};

}  // namespace holo
