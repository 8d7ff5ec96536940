#pragma once
// The minimizer of a time step's potential, and its options.

#include "holo/opt/matrix_free.h"
#include "holo/opt/newton.h"

namespace holo {

enum class StepMethod {
  newton,           // with factorizations (holo/opt/newton.h)
  newton_pcg,       // with conjugate gradients and products of the Hessian (holo/opt/matrix_free.h)
  gradient_descent  // with a preconditioner
};

struct StepSolver {
  StepMethod method = StepMethod::newton;
  NewtonOptions newton = {};  // of each method
  double linear_tolerance = NewtonPcgOptions{}.linear_tolerance;
  int max_linear_iterations = NewtonPcgOptions{}.max_linear_iterations;
  // Whether a step that used up its iterations ends at the best point found; otherwise it has failed.
  bool accepts_iteration_limit = false;
};

}  // namespace holo
