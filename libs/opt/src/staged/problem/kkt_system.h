#pragma once
// The linear system of all conditions of the step: unknowns (p, u, v, s) of each stage, then multipliers. p is an unknown of
// each stage, tied to the next one's.

#include <vector>

#include "holo/opt/staged/staged_quadratic.h"

namespace holo {

class KktSystem {
 public:
  explicit KktSystem(const StagedLayout& layout);

  int variable_count() const { return variable_count_; }
  // Its pattern is made by the first call and kept.
  const Eigen::SparseMatrix<double>& assemble(const StagedQuadratic& quadratic);
  Eigen::VectorXd right_side(const StagedQuadratic& quadratic, const StagedConstraints& constraints) const;
  void read(const Eigen::VectorXd& solution, StagedDirection& direction) const;

 private:
  // First index of a stage's unknowns, or of a kind of multiplier.
  int first_unknown(int stage) const { return stage * layout_.stage_size(); }
  int states_row(int stage) const { return variable_count_ + stage * layout_.state_count; }
  int rates_row(int stage) const { return states_row(layout_.stage_count) + stage * layout_.control_count; }
  int equal_row(int stage) const { return rates_row(layout_.stage_count - 1) + stage * layout_.parameter_count; }
  int quaternion_row(int stage) const {
    return equal_row(layout_.stage_count - 1) + stage * int(layout_.control_quaternions.size());
  }
  int parameter_row() const { return quaternion_row(layout_.stage_count); }
  // Number of an unknown of a stage: the last one has no v.
  int unknown(int stage, int index) const;

  template <class Visit>
  void visit_hessian(const StagedQuadratic& quadratic, int stage, const Visit& visit) const;
  template <class Visit>
  void visit_state_rates(const StagedQuadratic& quadratic, int stage, const Visit& visit) const;
  template <class Visit>
  void visit_constraints(const StagedQuadratic& quadratic, int stage, const Visit& visit) const;

  const StagedLayout& layout_;
  std::vector<char> has_diagonal_;  // [stage unknown]: whether the Hessian's pattern has it
  int variable_count_, constraint_count_;
  Eigen::SparseMatrix<double> matrix_;
  std::vector<int> targets_;  // of each entry as visited; several may have one
};

}  // namespace holo
