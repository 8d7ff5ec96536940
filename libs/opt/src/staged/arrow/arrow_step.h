#pragma once
// The exact step by condensing the states and a recursion over time for u with a bordered block for (p, 1): the value of what
// is left from stage k on is 1/2 u W u + u G (p, 1) + 1/2 (p, 1) T (p, 1). Its cost is linear in the number of stages, and T is
// summed up at the end, by blocks of stages. The recursion has Cholesky factors exactly where the minimizer is unique.

#include "staged/arrow/rated_states.h"
#include "staged/arrow/stage_condensation.h"
#include "staged/arrow/stage_recovery.h"
#include "staged/problem/unit_quaternions.h"

namespace holo {

class ArrowStep final : public StagedStep {
 public:
  ArrowStep(const StagedLayout& layout, StateFactorization factorization);

  StateFactors& factors() override { return factors_; }
  StageRecovery& recovery() override { return recovery_; }
  StagedStepOutcome prepare(const StagedQuadratic& quadratic) override;
  StagedStepOutcome solve(const StagedQuadratic& quadratic, StagedDirection& direction) override;
  StagedStepOutcome correct(const StagedQuadratic& quadratic, const StagedConstraints& constraints, StagedPoint& step) override;
  void find_multipliers(const StagedQuadratic& quadratic, StagedDirection& direction) override;
  void find_scales(StagedScales& scales) const override;

 private:
  // Additions of a recursion to the condensed model's linear terms.
  struct LinearChange {
    Eigen::MatrixXd controls, rates, parameters;  // [control][stage], [rate][stage], [parameter][block]
  };

  StagedStepOutcome find_step(const StagedQuadratic& quadratic, const StagedConstraints& constraints, StagedPoint& step);
  StagedStepOutcome sweep_back(const StagedQuadratic& quadratic, const StagedConstraints& constraints);
  void begin_stage(const StagedQuadratic& quadratic, const StagedConstraints& constraints, int stage);
  void add_state_rates(const StagedQuadratic& quadratic, int stage);
  void eliminate_radial_rates(const StagedQuadratic& quadratic, const StagedConstraints& constraints, int stage);
  void sum_parameters(const StagedQuadratic& quadratic);
  StagedStepOutcome find_start(const StagedQuadratic& quadratic, const StagedConstraints& constraints, StagedPoint& step);
  StagedStepOutcome reduce_by_rows(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                   Eigen::VectorXd& reduced);
  bool keep_bounds(const StagedQuadratic& quadratic, const Eigen::MatrixXd& cholesky, const Eigen::MatrixXd& free,
                   const Eigen::VectorXd& along, Eigen::VectorXd& solution);
  void sweep_forward(const StagedQuadratic& quadratic, const StagedConstraints& constraints, StagedPoint& step);
  auto columns(Eigen::MatrixXd& matrix, int stage) const { return matrix.middleCols(stage * width_, width_); }

  const StagedLayout& layout_;
  StateFactors factors_;
  StageCondensation condensation_;
  StageRecovery recovery_;
  RatedStates rated_;
  Eigen::MatrixXd rated_parameters_;  // what they add to T
  UnitQuaternions control_quaternions_, start_quaternions_;
  int width_, parameters_size_;  // free rates; rows of the parameters' block, for (p, 1)
  LinearChange change_;
  Eigen::MatrixXd w_, g_;  // value's W [control][control], G^T [parameter][control]
  Eigen::MatrixXd rates_, rates_controls_, rates_parameters_, product_;  // of the stage at hand, and rates_ times X
  Eigen::VectorXd offset_, radial_;                                      // rates' residual times -h, and y
  Eigen::VectorXd parameters_linear_;                                    // [parameter], of p
  Eigen::MatrixXd factor_, gain_parameters_, gain_controls_;  // [stage]: L, L^-1 M_t, L^-1 M_u; the latter transposed
  Eigen::MatrixXd parameters_, block_sums_;                   // T, lower triangle [parameter][parameter]; by block
  Eigen::MatrixXd start_, start_reduced_, start_half_;
  std::vector<int> bounded_;           // parameters with a bound, ascending
  Eigen::VectorXd bound_multipliers_;  // of the last system, [parameter]; empty without bounds
  Eigen::VectorXd start_point_, start_linear_, start_step_, start_residual_, start_reduced_linear_;
};

}  // namespace holo
