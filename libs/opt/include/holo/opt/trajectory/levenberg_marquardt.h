#pragma once
// The method of Levenberg and Marquardt for penalized constraints, F = E + w |C|^2, with the saddle-point system of the hard
// ones: damped Gauss-Newton. docs/trajectory-optimization.md#soft-constraints has the formulas.
//
//   PenalizedProblem soft(problem, 1e3);
//   const UnconstrainedResult result = LevenbergMarquardt(soft, {}).solve(point);

#include <Eigen/Core>
#include <memory>

#include "holo/opt/trajectory/penalized_problem.h"
#include "holo/opt/trajectory/trust_region_sqp.h"
#include "holo/opt/trajectory/unconstrained_result.h"

namespace holo {

struct LevenbergMarquardtOptions {
  // W of the damping, as for TrustRegionSqp. From the diagonal of H, unknowns that E does not have are damped less.
  TrustRegionMetric metric = TrustRegionMetric::identity;
  int max_iterations = 500;              // trials, refused ones included
  double stationarity_tolerance = 1e-5;  // of the largest entry of b + 2 w A^T C, in units of E over those of c
  double initial_damping = 1e-3;         // lambda, relative to the mean diagonal of H + 2 w A^T A over the mean of W
  double least_damping = 1e-15;          // the same
  double least_ratio = 1e-4;             // of actual over predicted decrease of a taken step
};

// Between two iterations, without the point: plain numbers for a checkpoint.
struct LevenbergMarquardtState {
  int iteration = 0;       // done so far
  double damping = 0;      // lambda, relative
  double growth = 2;       // of the damping at the next refused step
  int unseen_steps = 0;    // in a row, whose decrease was below the rounding of F
  Eigen::VectorXd metric;  // W [unknown], chosen in the first iteration
};

// The solver. It keeps its memory between solves; the problem must outlive it and keep its sizes.
class LevenbergMarquardt {
 public:
  // Throws Error(internal) for options out of range.
  LevenbergMarquardt(PenalizedProblem& problem, const LevenbergMarquardtOptions& options);
  ~LevenbergMarquardt();

  // Improves the point [unknown]; on failure it is the best one found. Throws Error(internal) for another size; never for a
  // numerical reason.
  UnconstrainedResult solve(Eigen::VectorXd& point);

  // Solving in parts, as TrustRegionSqp does: bit for bit, also by a new solver.
  LevenbergMarquardtState begin() const;
  // Throws Error(internal) for a point or state of other sizes.
  UnconstrainedResult advance(Eigen::VectorXd& point, LevenbergMarquardtState& state, int iterations);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace holo
