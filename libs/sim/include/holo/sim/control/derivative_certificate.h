#pragma once
// Certificate of the derivatives of a control step: gradient and Hessian of InverseStep against differences of steps that are
// solved anew, from another start, by plain Newton steps with an LU factorization, and whose gradient takes an adjoint of its
// own.

#include <Eigen/Core>

#include "holo/sim/control/inverse_step.h"

namespace holo {

// One frame of a controlled motion, with all that its step depends on.
struct ControlledFrame {
  ElasticState start;
  Eigen::VectorXd activations;    // [activation] [Pa]
  Eigen::VectorXd lag_positions;  // of which the lag was taken [3 * vertex]; empty: of the start
};

// Relative errors: the largest along three directions, over the norm of gradient and Hessian. 1 where a step could not be
// solved.
struct DerivativeCertificate {
  double gradient = 1, hessian = 1;
};

// The derivatives are taken near the frame's activations, displaced by 5 % of the unit in a fixed random direction: where a
// loss is at its minimum, nothing is left to compare. Differences are of fourth order; of several lengths the best counts,
// since the error is a sum of truncation, which decreases with the length, and of rounding, which increases. `loss` has begun
// the frame.
DerivativeCertificate certify_derivatives(const ElasticScene& scene, StepLoss& loss, const ControlledFrame& frame, double unit);

}  // namespace holo
