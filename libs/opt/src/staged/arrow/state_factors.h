#pragma once
// Factors of dC/ds at all stages, in lanes where one order of pivots serves a block, else by KLU, stage by stage.

#include <memory>
#include <vector>

#include "holo/opt/staged/staged_step.h"
#include "staged/arrow/lane_lu.h"

namespace holo {

class StateFactors {
 public:
  StateFactors(const StagedLayout& layout, StateFactorization kind);

  // Factors dC/ds of all stages. Returns the first stage whose matrix is singular or not finite, else -1.
  int factor(const std::vector<StageDerivatives>& blocks);

  // Solves with the factors of a block, x [state][lane] in place; work [2 states][lane]. Two threads may not solve in one
  // block.
  void solve(int block, double* x, double* work);
  void solve_transposed(int block, double* x, double* work);

  // Results of the last `factor`: the orders of pivots, a block's order, its factor, and the lanes that have KLU's
  // instead.
  int plan_count() const { return int(plans_.size()); }
  const LaneLu& plan(int number) const { return *plans_[std::size_t(number)]; }
  int plan_of(int block) const { return blocks_[std::size_t(block)].plan; }
  const double* lane_factor(int block) const { return blocks_[std::size_t(block)].factor.data(); }
  KluFactor* klu(int stage) const {
    return blocks_[std::size_t(stage / stage_lanes)].in_lanes[stage % stage_lanes] ? nullptr : klu_[std::size_t(stage)].get();
  }
  int klu_count() const;  // stages

 private:
  struct Block {
    int plan = 0;
    StageLanes factor;
    bool in_lanes[stage_lanes] = {};
    bool any_lanes = false;
  };

  int lanes_of(int block) const { return std::min(stage_lanes, stage_count_ - block * stage_lanes); }
  bool add_plan(const StageDerivatives& values, int stage);
  bool all_good(int block) const;
  void factor_block(int block, const StageDerivatives& values);
  bool try_plan(int block, int plan, const StageDerivatives& values, double* work);
  void factor_by_klu(int block, const StageDerivatives& values);
  template <bool transposed>
  void solve_block(int block, double* x, double* work);

  int stage_count_, size_;
  StateFactorization kind_;
  StagePattern pattern_;
  std::shared_ptr<const KluAnalysis> analysis_;
  std::vector<std::shared_ptr<const LaneLu>> plans_;
  std::vector<Block> blocks_;
  std::vector<std::unique_ptr<KluFactor>> klu_;  // [stage], made when needed
  std::vector<char> singular_;                   // [stage]
  std::vector<StageLanes> work_;                 // [block], while factoring
};

}  // namespace holo
