#pragma once
// Restoration of constraints: the minimum-norm Newton method, which moves a point to a nearby feasible one and pays no
// attention to the objective.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/opt/trajectory/trust_region_sqp.h"

namespace holo {

struct RestorationOptions {
  double tolerance = 1e-10;  // of the largest |C_i|, in the constraints' units
  int max_iterations = 30;
  TrustRegionMetric metric = TrustRegionMetric::hessian_diagonal;  // in whose norm a step is least
  double constraint_shift = 1e-8;                                  // dc of K2, for rows of A of length 1
};

enum class RestorationStatus {
  converged,
  infeasible,  // the norm of the constraints is stationary and not zero: they contradict each other near the point
  stalled,     // no part of the step decreases the norm of the constraints: their rounding, or wrong derivatives
  iteration_limit,
  outside_the_domain,  // E or C is not finite at the start
  not_finite,          // a derivative is not finite
  singular             // no accurate solution of the saddle-point system
};
std::string to_string(RestorationStatus status);

struct RestorationIteration {
  double constraint_largest = 0;  // of |C_i| before the step
  double step_norm = 0;           // |v|_W of the full step; 0 for the last iteration, which only sees why it ends
  double step_length = 0;         // taken fraction
};

struct RestorationResult {
  RestorationStatus status = RestorationStatus::converged;
  std::string diagnosis;  // empty when converged
  std::vector<RestorationIteration> iterations;
  double objective = 0, constraint_largest = 0;  // at the result
  int largest_constraint = -1;                   // index of the constraint with constraint_largest; -1 without constraints
};

// Repeats c += alpha v with the step v of least |v|_W with A v = -C, from K2 alone, and the first alpha of 1, 1/2, 1/4, ...
// that decreases |C|. Converges quadratically where A has full rank. On failure the point [unknown] is the best one found.
// Throws Error(internal) for another size of the point and for options out of range; never for a numerical reason.
RestorationResult restore_constraints(EqualityConstrainedProblem& problem, Eigen::VectorXd& point,
                                      const RestorationOptions& options = {});

}  // namespace holo
