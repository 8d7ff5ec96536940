#pragma once
// Eliminates the states of every stage: ds = c + P dp + U du with c = -C_s^-1 C, P = -C_s^-1 C_p, U = -C_s^-1 C_u, put into
// the quadratic model, which leaves one in (p, u, v). Blocks of stages in lanes and in parallel.

#include <memory>
#include <vector>

#include "holo/core/numerics/workspace_pool.h"
#include "staged/arrow/block_loop.h"
#include "staged/arrow/condensation_plan.h"
#include "staged/arrow/state_factors.h"

namespace holo {

// The model without states. The parameters' block, of p and of 1 (last), [parameter_count + 1], is coupled with each u and v.
struct CondensedStages {
  int parameters_size = 0;              // rows of the parameters' block: parameter_count + 1, rounded up
  Eigen::MatrixXd controls_parameters;  // [parameter][control + control_count * stage]: Q_pu, q_u
  Eigen::MatrixXd controls;             // [control][control + control_count * stage]: Q_uu
  Eigen::MatrixXd rates_parameters;     // [parameter][rate + control_count * stage]: L_pv + P^T L_sv, l_v + L_vs c
  Eigen::MatrixXd rates_controls;       // [rate][control + control_count * stage]: L_vu + L_vs U
  Eigen::MatrixXd rates;                // [rate][rate + control_count * stage]: L_vv
  // [parameter][parameters_size * block]: the lower triangle of Q_pp and the row q_p, summed over the block's stages.
  Eigen::MatrixXd parameters;

  explicit CondensedStages(const StagedLayout& layout);
};

class StageCondensation {
 public:
  StageCondensation(const StagedLayout& layout, StateFactors& factors);

  // Needs factors of the model's dC/ds.
  void condense(const StagedQuadratic& quadratic);
  const CondensedStages& stages() const { return stages_; }

  // The changes of the linear terms for other values of C, in the last row of the parameters' block. `control_change`
  // [control][stage], `rate_change` [rate][stage], `parameter_change` [parameter][block].
  void change_residual(const StagedQuadratic& quadratic, const Eigen::MatrixXd& residual, Eigen::MatrixXd& control_change,
                       Eigen::MatrixXd& rate_change, Eigen::MatrixXd& parameter_change);

 private:
  static constexpr int lanes = stage_lanes;
  struct Scratch {
    StageLanes right_sides;  // [pivot][4]
    StageLanes solution;     // [plan.solution_length][4]
    StageLanes products;     // [panel row][padded column]
    StageLanes sums;         // [pair of groups][4][4]
    StageLanes rates;        // [rate][padded column]
    StageLanes vectors;      // [4][state]
  };

  std::unique_ptr<Scratch> make_scratch() const;
  void condense_block(const StagedQuadratic& quadratic, int block, Scratch& scratch);
  template <class Put>
  void for_each_entry(const StageDerivatives& values, const CondensationPlan::Group& group, const Put& put) const;
  void solve_group(const StageDerivatives& values, int block, const LaneLu& lu, const CondensationPlan::Group& group,
                   Scratch& scratch);
  void solve_group_by_klu(const StageDerivatives& values, int stage, const CondensationPlan::Group& group, Scratch& scratch);
  void multiply_panel(const StageDerivatives& values, const CondensationPlan& plan, int panel, Scratch& scratch);
  void add_panel(const CondensationPlan& plan, int panel, Scratch& scratch);
  void add_couplings(const StageDerivatives& values, const CondensationPlan& plan, Scratch& scratch);
  void store_sums(const CondensationPlan& plan, int block, const Scratch& scratch);
  void store_rates(const StageDerivatives& values, const CondensationPlan& plan, int block, Scratch& scratch);
  void add_own_terms(const StageDerivatives& values, int block);
  int lanes_of(int block) const;

  const StagedLayout& layout_;
  StateFactors& factors_;
  HessianEntries entries_;
  std::vector<std::unique_ptr<CondensationPlan>> plans_;  // as many as the factors have
  CondensedStages stages_;
  std::unique_ptr<WorkspacePool<Scratch>> scratch_;
};

}  // namespace holo
