#pragma once
// Recovery of the states' step and of all multipliers from a step in (p, u, v). [Maloisel2023] Algorithm 4, corrected:
// the transposed inverse of C_s, and L = objective + lambda . constraint with rates divided by the time step.

#include "holo/core/numerics/workspace_pool.h"
#include "staged/arrow/block_loop.h"
#include "staged/arrow/state_factors.h"

namespace holo {

class StageRecovery {
 public:
  StageRecovery(const StagedLayout& layout, StateFactors& factors);

  // ds = -C_s^-1 (C + C_p dp + C_u du).
  void find_states(const StagedQuadratic& quadratic, const StagedConstraints& constraints, StagedPoint& step);
  // Multipliers, curvature and largest_hessian_step of a step.
  void find_multipliers(const StagedQuadratic& quadratic, StagedDirection& direction);
  // An estimate of dC/ds' smallest singular value, of all stages: from above, by two steps of inverse iteration.
  double smallest_singular_value();

 private:
  struct Scratch {
    StageLanes step, product, work;  // [stage unknown], [stage unknown], [2 state]
  };

  void multiply_block(const StagedQuadratic& quadratic, int block, StagedDirection& direction, Scratch& scratch);
  void find_state_multipliers(const StageDerivatives& values, int block, StagedMultipliers& multipliers, Scratch& scratch);
  void find_parameter_multipliers(const StagedQuadratic& quadratic, StagedMultipliers& multipliers);
  void find_quaternion_multipliers(const StagedQuadratic& quadratic, StagedMultipliers& multipliers) const;
  int lanes_of(int block) const { return std::min(stage_lanes, layout_.stage_count - block * stage_lanes); }

  const StagedLayout& layout_;
  StateFactors& factors_;
  WorkspacePool<Scratch> scratch_;
  Eigen::MatrixXd parameter_terms_, control_terms_;  // [.][stage]: what multipliers of p's and u's own constraints balance
  Eigen::VectorXd curvatures_, largest_, smallest_;  // [block]
  Eigen::MatrixXd state_rates_step_;
  Eigen::MatrixXd row_products_;  // of the parameter rows' Jacobian with itself
};

}  // namespace holo
