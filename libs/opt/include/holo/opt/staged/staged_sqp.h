#pragma once
// Sequential quadratic programming for discrete-time optimal control problems: exact steps, an L1 merit function, states pulled
// back to their constraints at each trial point.

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "holo/opt/sqp/sqp_iteration.h"
#include "holo/opt/sqp/sqp_state.h"
#include "holo/opt/staged/staged_step.h"

namespace holo {

// When the regularizer's center is moved to the current p: never; after iterations 2, 4, 8, ...; after each.
enum class RegularizerSchedule { off, pow2, every };

struct StagedSqpOptions {
  StagedStepKind step = StagedStepKind::arrow;
  StateFactorization factorization = StateFactorization::lanes;
  bool gauss_newton = false;  // Hessians without the curvature of constraints, always
  bool retract = true;        // quaternions to unit length, states by up to three chord Newton steps
  bool second_order_correction = true;
  RegularizerSchedule schedule = RegularizerSchedule::pow2;
  int max_iterations = 200;
  double tolerance = 1e-8;  // of stationarity and constraints
  // Steps are cut to these largest changes of a number.
  double parameter_step_limit = std::numeric_limits<double>::infinity();
  double state_step_limit = std::numeric_limits<double>::infinity();
  bool estimate_singular_values = false;  // for the log: costs four solves a stage
};

enum class StagedSqpStatus {
  converged,  // stationary and feasible to the tolerance, or the last step was below 1e-7, or three full steps gained
              // less than 1e-9 of the objective
  iteration_limit,
  line_search_failed,  // no step along the direction was taken
  singular,            // dC/ds at a stage
  not_convex,          // no shift made the model convex
  infeasible_start,    // the objective is not finite at the start
  not_finite,          // a derivative is not finite
  infeasible_bounds,   // the bounds of p contradict its rows
  unfinished           // as many iterations as were asked for are done, and there is more to do
};
std::string to_string(StagedSqpStatus status);

struct StagedSqpIteration : SqpIteration {
  double shift = 0;  // for convexity, in units of the model's scales
  bool gauss_newton = false;
  bool recentered = false;             // the regularizer, after this step
  int factorizations = 0;              // tries for convexity
  int active_bounds = 0;               // of p, in the model
  int retractions = 0;                 // chord Newton steps at the taken point, largest of all blocks
  double smallest_singular_value = 0;  // of dC/ds, estimated; 0 where not asked for
  double dropped_largest = 0;          // OptimalControlProblem::dropped_residual, before the step
  // [s]
  double assembly_time = 0, factor_time = 0, condense_time = 0, recursion_time = 0, recovery_time = 0, line_search_time = 0;
};

struct StagedSqpResult {
  StagedSqpStatus status = StagedSqpStatus::converged;
  int stage = -1, row = -1;  // where it failed, as far as known; row of C
  std::string diagnosis;     // empty when converged
  std::vector<StagedSqpIteration> iterations;
  StagedMultipliers multipliers;
  double objective = 0, constraint_largest = 0;  // at the result
};

// All that an optimization carries from one iteration to the next, beside the point and the problem's own center of the
// regularizer. Plain numbers: it may be written down, or, with other multipliers, go on with a problem of another layout.
struct StagedSqpState : SqpState {
  StagedMultipliers multipliers;
  double shift = 0;          // the last, for convexity
  Eigen::VectorXd center;    // p where the regularizer was centered last
  double center_change = 0;  // by which it moved then
  int center_updates = 0, next_center_update = 0;
};

// Keeps its memory from one problem's solve to the next; the layout must stay.
class StagedSqp {
 public:
  // Throws Error(internal) for a layout whose sizes do not fit, Error(input) for a step that the build lacks.
  StagedSqp(OptimalControlProblem& problem, const StagedSqpOptions& options);
  ~StagedSqp();

  // Improves the point. On failure it is the best one found. Throws Error(internal) for a point of other sizes; never for a
  // numerical reason.
  StagedSqpResult solve(StagedPoint& point);

  // The same in parts: `begin` and as many calls of `advance` as it takes make the iterations of `solve`, to the last bit if
  // the point and the problem stay as they are in between. Another solver may go on from the state: to rounding, since each
  // keeps the pivots that it chose first. `advance` does at most so many iterations, and returns those; `unfinished` asks for
  // more. max_iterations counts all.
  StagedSqpState begin(const StagedPoint& point) const;
  StagedSqpResult advance(StagedPoint& point, StagedSqpState& state, int iterations);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace holo
