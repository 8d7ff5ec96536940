#include "block_tridiagonal/elimination_plan.h"

#include <algorithm>

namespace holo {

namespace {

// Adds phases, chains and eliminations in order, and finds the neighbors among the blocks that are left.
class PlanBuilder {
 public:
  explicit PlanBuilder(int blocks) : previous_(std::size_t(blocks)), next_(std::size_t(blocks)) {
    plan_.blocks = blocks;
    plan_.position.assign(std::size_t(blocks), -1);
    for (int i = 0; i < blocks; ++i) {
      previous_[std::size_t(i)] = i - 1;
      next_[std::size_t(i)] = i + 1 < blocks ? i + 1 : -1;
    }
  }

  void begin_phase() {
    const int chains = int(plan_.chains.size()), updates = int(plan_.updates.size());
    plan_.phases.push_back({chains, chains, updates, updates});
  }

  // A chain of the blocks first, first + step, ..., last.
  void add_chain(int first, int last, int step) {
    std::vector<int> blocks;
    for (int block = first; block != last + step; block += step) blocks.push_back(block);
    add_chain(blocks);
  }
  // A chain of consecutive blocks among those that are left, in either direction.
  void add_chain(const std::vector<int>& blocks) {
    EliminationChain chain;
    chain.begin = int(plan_.eliminations.size());
    const int low = std::min(blocks.front(), blocks.back()), high = std::max(blocks.front(), blocks.back());
    for (int block : blocks) {
      const Elimination& e = eliminate(block);
      // What is left beside a chain are its separators.
      if (e.left >= 0 && e.left < low) chain.left_separator = e.left;
      if (e.right > high) chain.right_separator = e.right;
    }
    chain.end = int(plan_.eliminations.size());
    plan_.chains.push_back(chain);
    plan_.phases.back().end = int(plan_.chains.size());
  }

  void end_phase() {
    EliminationPhase& phase = plan_.phases.back();
    for (int c = phase.begin; c < phase.end; ++c) {
      const EliminationChain& chain = plan_.chains[std::size_t(c)];
      if (chain.left_separator >= 0) update_of(chain.left_separator).right_chain = c;
      if (chain.right_separator >= 0) update_of(chain.right_separator).left_chain = c;
    }
    phase.updates_end = int(plan_.updates.size());
  }

  EliminationPlan take() { return std::move(plan_); }

 private:
  const Elimination& eliminate(int block) {
    const int left = previous_[std::size_t(block)], right = next_[std::size_t(block)];
    plan_.position[std::size_t(block)] = int(plan_.eliminations.size());
    plan_.eliminations.push_back({block, left, right});
    if (left >= 0) next_[std::size_t(left)] = right;
    if (right >= 0) previous_[std::size_t(right)] = left;
    return plan_.eliminations.back();
  }

  // Chains are added from left to right, so that a separator's left chain comes just before its right one.
  SeparatorUpdate& update_of(int block) {
    for (int i = int(plan_.updates.size()) - 1; i >= plan_.phases.back().updates_begin && i >= int(plan_.updates.size()) - 2;
         --i)
      if (plan_.updates[std::size_t(i)].block == block) return plan_.updates[std::size_t(i)];
    plan_.updates.push_back({block, -1, -1});
    return plan_.updates.back();
  }

  EliminationPlan plan_;
  std::vector<int> previous_, next_;  // [block], among those that are left
};

}  // namespace

// L D L^T of the block is 1/3, its rows for n neighbors are n, and the lower triangle of their Schur complement is n^2.
double EliminationPlan::relative_flops() const {
  double sum = 0;
  for (const Elimination& e : eliminations) {
    const int neighbors = int(e.left >= 0) + int(e.right >= 0);
    sum += 1.0 / 3 + neighbors + neighbors * neighbors;
  }
  return sum;
}

EliminationPlan serial_plan(int blocks) {
  PlanBuilder builder(blocks);
  builder.begin_phase();
  builder.add_chain(0, blocks - 1, 1);
  builder.end_phase();
  return builder.take();
}

EliminationPlan two_ended_plan(int blocks) {
  if (blocks < 3) return serial_plan(blocks);
  const int middle = blocks / 2;
  PlanBuilder builder(blocks);
  builder.begin_phase();
  builder.add_chain(0, middle - 1, 1);
  builder.add_chain(blocks - 1, middle + 1, -1);
  builder.end_phase();
  builder.begin_phase();
  builder.add_chain(middle, middle, 1);
  builder.end_phase();
  return builder.take();
}

EliminationPlan cyclic_reduction_plan(int blocks) {
  PlanBuilder builder(blocks);
  // The blocks at odd multiples of the stride, less one, have neighbors at its even multiples.
  for (int stride = 1; stride <= blocks; stride *= 2) {
    builder.begin_phase();
    for (int block = stride - 1; block < blocks; block += 2 * stride) builder.add_chain(block, block, 1);
    builder.end_phase();
  }
  return builder.take();
}

EliminationPlan partitioned_plan(int blocks, int partitions) {
  const int parts = std::min(partitions, (blocks + 1) / 3);
  if (parts < 2) return serial_plan(blocks);
  PlanBuilder builder(blocks);
  // A block in the middle parts, which has two neighbors, takes 19/3 B^3 operations, one in the first and last part 7/3 B^3:
  // the parts have as many blocks as make their work equal.
  const double middle_share = 7.0 / 19, interior = blocks - (parts - 1), end_size = interior / (2 + (parts - 2) * middle_share);
  std::vector<int> separators;
  for (int p = 1; p < parts; ++p) {
    const int least = separators.empty() ? 2 : separators.back() + 3, most = blocks - 3 * (parts - p);
    separators.push_back(std::clamp(int(end_size * (1 + (p - 1) * middle_share) + p - 0.5), least, most));
  }
  builder.begin_phase();
  builder.add_chain(0, separators.front() - 1, 1);
  for (int p = 1; p + 1 < parts; ++p) builder.add_chain(separators[std::size_t(p) - 1] + 1, separators[std::size_t(p)] - 1, 1);
  builder.add_chain(blocks - 1, separators.back() + 1, -1);
  builder.end_phase();
  // The separators are a block-tridiagonal system of their own.
  builder.begin_phase();
  builder.add_chain(separators);
  builder.end_phase();
  return builder.take();
}

}  // namespace holo
