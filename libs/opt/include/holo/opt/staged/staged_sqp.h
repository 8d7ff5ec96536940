#pragma once
// Sequential quadratic programming for discrete-time optimal control problems: exact steps, an L1 merit function, and a
// retraction of the states to their constraints at each trial point.

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
  bool gauss_newton = false;  // always use Hessians without the curvature of the constraints
  bool retract = true;        // retract quaternions to unit length, and states by up to three chord Newton steps
  bool second_order_correction = true;
  RegularizerSchedule schedule = RegularizerSchedule::pow2;
  int max_iterations = 200;
  double tolerance = 1e-8;  // of stationarity and constraints
  // Largest change of one parameter and of one state in a step; longer steps are shortened.
  double parameter_step_limit = std::numeric_limits<double>::infinity();
  double state_step_limit = std::numeric_limits<double>::infinity();
  bool estimate_singular_values = false;  // for the log; costs four solves a stage
};

enum class StagedSqpStatus {
  converged,  // stationary and feasible to the tolerance, or the last step was below 1e-7, or three full steps gained
              // less than 1e-9 of the objective
  iteration_limit,
  line_search_failed,  // no step along the direction was accepted
  singular,            // dC/ds is singular at a stage
  not_convex,          // no shift made the model convex
  infeasible_start,    // the objective is not finite at the start
  not_finite,          // a derivative is not finite
  infeasible_bounds,   // the bounds of p contradict its constraints
  unfinished           // the requested iterations are done, and the optimization continues
};
std::string to_string(StagedSqpStatus status);

struct StagedSqpIteration : SqpIteration {
  double shift = 0;  // for convexity, in units of the model's scales
  bool gauss_newton = false;
  bool recentered = false;                // the regularizer's center moved after this step
  int factorizations = 0;                 // tries for convexity
  int active_bounds = 0;                  // of p, in the model
  int retractions = 0;                    // chord Newton steps at the taken point, largest of all blocks
  double smallest_singular_value = 0;     // of dC/ds, estimated; 0 without estimate_singular_values
  double largest_redundant_residual = 0;  // OptimalControlProblem::largest_redundant_residual, before the step
  // [s]
  double assembly_time = 0, factor_time = 0, condense_time = 0, recursion_time = 0, recovery_time = 0, line_search_time = 0;
};

struct StagedSqpResult {
  StagedSqpStatus status = StagedSqpStatus::converged;
  int stage = -1, row = -1;  // of the failure, if known; `row` is an equation of C
  std::string diagnosis;     // empty when converged
  std::vector<StagedSqpIteration> iterations;
  StagedMultipliers multipliers;
  double objective = 0, constraint_largest = 0;  // at the result
};

// State of an optimization between two iterations, without the point and the center of the problem's regularizer. It consists
// of plain numbers, so that a checkpoint can store it. With converted multipliers it continues with a problem of another
// layout.
struct StagedSqpState : SqpState {
  StagedMultipliers multipliers;
  double shift = 0;          // last shift for convexity
  Eigen::VectorXd center;    // last center of the regularizer [parameter_count]
  double center_change = 0;  // distance of its last move
  int center_updates = 0, next_center_update = 0;
};

// The solver. It keeps its memory between solves; the problem's layout must not change.
class StagedSqp {
 public:
  // Throws Error(internal) for a layout whose sizes do not fit, Error(input) for a step that the build lacks.
  StagedSqp(OptimalControlProblem& problem, const StagedSqpOptions& options);
  ~StagedSqp();

  // Improves the point. On failure it is the best one found. Throws Error(internal) for a point of other sizes; never for a
  // numerical reason.
  StagedSqpResult solve(StagedPoint& point);

  // Solving in parts. `begin` and repeated calls of `advance` make the iterations of `solve`, bit for bit if the point and the
  // problem do not change in between. Another solver may continue from the state, equal up to rounding, since each solver keeps
  // the pivots that it chose first. `advance` makes at most `iterations` iterations and returns their log; the status
  // `unfinished` asks for another call. max_iterations counts all parts.
  StagedSqpState begin(const StagedPoint& point) const;
  StagedSqpResult advance(StagedPoint& point, StagedSqpState& state, int iterations);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace holo
