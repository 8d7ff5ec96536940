#pragma once
// Trust-region sequential quadratic programming for equality-constrained problems, such as trajectories that satisfy equations
// of motion: steps of Byrd and Omojokun, and the exact l2 merit function. docs/trajectory-optimization.md has the formulas.
//
//   TrustRegionSqp solver(problem, options);
//   const TrustRegionSqpResult result = solver.solve(point);
//   if (result.status != TrustRegionSqpStatus::converged) log(result.diagnosis);

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "holo/opt/sqp/sqp_iteration.h"
#include "holo/opt/trajectory/equality_constrained_problem.h"

namespace holo {

// E + mu |C| with ratios of actual and predicted decrease; or algorithm 1 of [Pan2019], for comparisons: E + mu |C|^2 / 2 with
// any decrease, its rules for mu and the radius, and without second-order corrections.
enum class TrajectoryMerit { l2, paper };

// The diagonal metric W of the trust region: 1, or from the diagonal of H at the start, (max(H_jj, 1e-8))^(1/2) and at least
// 1e-4 of the largest.
enum class TrustRegionMetric { identity, hessian_diagonal };

struct TrustRegionSqpOptions {
  TrajectoryMerit merit = TrajectoryMerit::l2;
  TrustRegionMetric metric = TrustRegionMetric::hessian_diagonal;
  int max_iterations = 500;              // trials, refused ones included
  double constraint_tolerance = 1e-5;    // of the largest |C_i|, in the constraints' units
  double stationarity_tolerance = 1e-5;  // of the largest entry of b + A^T lambda, in units of E over those of c
  double step_tolerance = 1e-3;          // of the largest change of an unknown: the paper's test, which is logged
  bool stop_at_small_step = false;       // converged by the paper's test
  double initial_radius = std::numeric_limits<double>::infinity();  // of |p|_W; infinite: the length of the first step
  double initial_penalty = 1;                                       // mu
  double normal_fraction = 0.8;                                     // zeta: part of the radius for the normal step, in (0, 1)
  double penalty_margin = 0.3;                                      // nu, in (0, 1)
  double least_ratio = 1e-4;                                        // eta: of actual over predicted decrease of a taken step
  bool second_order_correction = true;
  double unknown_shift = 1e-8;     // dw of K1, relative to mean H_jj / mean W_jj
  double constraint_shift = 1e-8;  // dc of K1 and K2, for rows of A of length 1
  // Cmax: trials whose largest |C_i| exceeds both this and that of the point are refused. With the paper's merit function,
  // those that are not below it, whatever the point has.
  double constraint_cap = std::numeric_limits<double>::infinity();
};

enum class TrustRegionSqpStatus {
  converged,   // feasible and stationary to the tolerances
  small_step,  // the paper's test, where stop_at_small_step asks for it
  infeasible,  // the norm of the constraints is stationary and not zero: they contradict each other near the point
  stalled,     // the radius fell below 1e-13: a kink, rounding of the merit function or wrong derivatives
  iteration_limit,
  outside_the_domain,  // E or C is not finite at the start
  not_finite,          // a derivative is not finite
  singular,            // no accurate solution of the saddle-point systems
  unfinished           // the requested iterations are done, and the optimization continues
};
std::string to_string(TrustRegionSqpStatus status);

// Of SqpIteration, `stationarity` is the largest entry of |b + A^T lambda|, `step_length` 1 for a taken step and 0 else, and
// the sum and the largest of the constraints are in their units.
struct TrustRegionSqpIteration : SqpIteration {
  double radius = 0;           // at the trial, of |p|_W
  double step_norm = 0;        // |p|_W
  double ratio = 0;            // actual over predicted decrease; NaN where the trial is outside the domain
  double shift = 0;            // dw, relative
  int factorizations = 0;      // of saddle-point matrices; 0 after a refused trial
  bool is_small_step = false;  // the paper's test holds after the trial
};

// Between two iterations, without the point: plain numbers for a checkpoint.
struct TrustRegionSqpState {
  int iteration = 0;  // done so far
  double radius = std::numeric_limits<double>::infinity();
  double penalty = 1;
  double shift = 0;  // dw, relative
  int iterations_with_large_penalty = 0, penalty_resets = 0;
  Eigen::VectorXd multipliers;        // [constraint], for the model of the next linearization
  Eigen::VectorXd constraint_scales;  // [constraint], chosen in the first iteration
  Eigen::VectorXd metric;             // W [unknown], chosen in the first iteration
};

struct TrustRegionSqpResult {
  TrustRegionSqpStatus status = TrustRegionSqpStatus::converged;
  std::string diagnosis;  // empty when converged or unfinished
  std::vector<TrustRegionSqpIteration> iterations;
  Eigen::VectorXd multipliers;  // lambda [constraint] of the last linearization, with b + A^T lambda = 0 at a minimum
  // At the result; the stationarity is that of the last linearization.
  double objective = 0, constraint_largest = 0, stationarity = 0;
  int largest_constraint = -1;  // index of the constraint with constraint_largest; -1 without constraints
};

// The solver. It keeps its memory between solves; the problem must outlive it and keep its sizes.
class TrustRegionSqp {
 public:
  // Throws Error(internal) for a problem and a system of different sizes, and for options out of range.
  TrustRegionSqp(EqualityConstrainedProblem& problem, const TrustRegionSqpOptions& options);
  ~TrustRegionSqp();

  // Improves the point [unknown]; on failure it is the one with the smallest merit function. Throws Error(internal) for another
  // size; never for a numerical reason.
  TrustRegionSqpResult solve(Eigen::VectorXd& point);

  // Solving in parts. `begin` and repeated calls of `advance` make the iterations of `solve`; also those of a new solver with a
  // stored state and point, bit for bit where solutions depend on the matrices alone. `advance` makes at most `iterations`
  // iterations and returns their log; the status `unfinished` asks for another call. max_iterations counts all parts.
  TrustRegionSqpState begin() const;
  // Throws Error(internal) for a point or state of other sizes.
  TrustRegionSqpResult advance(Eigen::VectorXd& point, TrustRegionSqpState& state, int iterations);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace holo
