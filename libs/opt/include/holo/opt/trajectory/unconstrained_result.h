#pragma once
// Status, log and result of minimizers of functions without constraints, such as an objective with penalized constraints.

#include <string>
#include <vector>

#include "holo/opt/sqp/sqp_iteration.h"

namespace holo {

enum class UnconstrainedStatus {
  converged,  // no entry of the gradient is as large as the tolerance
  stalled,    // no step decreases the function by more than its rounding: a kink, or wrong derivatives where that is not enough
  iteration_limit,
  outside_the_domain,  // the function is not finite at the start
  not_finite,          // a derivative is not finite
  singular,            // no accurate solution of the saddle-point system
  unfinished           // the requested iterations are done, and the minimization continues
};
std::string to_string(UnconstrainedStatus status);

// Of SqpIteration, `stationarity` is the largest entry of the gradient, and step_length 0 for a refused step and for the last
// iteration, which only sees why it ends. `objective`, the constraints and `penalty` (the weight w) are zero where the function
// has no such parts.
struct UnconstrainedIteration : SqpIteration {
  double value = 0;        // of the function, before the step
  double step_norm = 0;    // |p|_W, or Euclidean where there is no metric, of the taken part
  double ratio = 0;        // actual over predicted decrease; NaN where the trial is outside the domain
  double damping = 0;      // lambda, relative; of Levenberg-Marquardt
  int factorizations = 0;  // of the saddle-point matrix
  int gradients = 0;       // computed for the step
};

struct UnconstrainedResult {
  UnconstrainedStatus status = UnconstrainedStatus::converged;
  std::string diagnosis;  // empty when converged or unfinished
  std::vector<UnconstrainedIteration> iterations;
  double value = 0, stationarity = 0;  // at the result
  // Parts of the value at the result.
  double objective = 0, constraint_largest = 0;
};

}  // namespace holo
