#pragma once
// Trial points of a line search: values there, and the retraction that keeps them near the constraints.

#include "holo/core/numerics/workspace_pool.h"
#include "staged/arrow/block_loop.h"
#include "staged/arrow/state_factors.h"

namespace holo {

// The largest absolute multiplier, without those of p's equality over time: that constraint always holds.
double largest_multiplier(const StagedMultipliers& multipliers);

class StagedMerit {
 public:
  StagedMerit(const OptimalControlProblem& problem, StateFactors& factors);

  struct Values {
    double objective = 0;
    double terms = 0;       // sum of the absolute values that add up to the objective
    double unresolved = 0;  // sum of absolute constraint residuals that count as 0: no retraction goes below them
    StagedConstraints constraints;
    double merit(double penalty) const { return objective + penalty * constraints.sum(); }
    // Error of the merit function at this point: the rounding of its sums, and what residuals that count as 0 contribute,
    // directly and through the objective (whose slope along a residual is its multiplier, at most the penalty).
    double merit_error(double penalty) const;
  };

  // Values of a point as it is.
  void evaluate(const StagedPoint& point, Values& values);
  // trial = point + length * step. `rates_residual`: of the rates' constraints at the point.
  void move(const StagedPoint& point, const StagedPoint& step, double length, StagedPoint& trial) const;
  // The same, with quaternions made unit, rates what the controls then say, and states pulled back to C = 0 by steps with the
  // factors of the last point, as long as each stage's residual halves. Returns how many steps the slowest block took.
  int move_and_retract(const StagedPoint& point, const StagedPoint& step, const Eigen::MatrixXd& rates_residual, double length,
                       StagedPoint& trial, Values& values);

 private:
  struct Scratch {
    StageLanes work;                   // [3 state]
    Eigen::MatrixXd states, residual;  // [state][lane]
    Eigen::VectorXd objective;         // [lane]
  };

  int retract_block(StagedPoint& trial, int block, Values& values, Scratch& scratch);
  void finish(const StagedPoint& point, Values& values);

  const OptimalControlProblem& problem_;
  StateFactors& factors_;
  WorkspacePool<Scratch> scratch_;
  Eigen::VectorXd objectives_;     // [stage]
  Eigen::MatrixXd rows_jacobian_;  // not used
  Eigen::MatrixXd state_rates_;
  std::vector<int> retractions_;  // [block]
};

}  // namespace holo
