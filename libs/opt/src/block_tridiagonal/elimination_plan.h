#pragma once
// Orders in which the blocks of a block-tridiagonal matrix are eliminated, and which eliminations may run at the same time.
//
// Eliminating a block couples its two neighbors among the blocks that are left, so that a block has at most two neighbors in
// every order. A plan depends on the number of blocks alone and is the same for all systems of a batch.

#include <vector>

namespace holo {

struct Elimination {
  int block = 0;
  int left = -1, right = -1;  // the nearest blocks that are left then; -1: none
};

// Eliminations one after the other. They change blocks of their own chain, and the two separators, which are eliminated in
// later phases.
struct EliminationChain {
  int begin = 0, end = 0;  // of EliminationPlan::eliminations
  int left_separator = -1, right_separator = -1;
};

// The changes of a separator by the chains of a phase, in the order of the chains; -1: none.
struct SeparatorUpdate {
  int block = 0;
  int left_chain = -1, right_chain = -1;  // of EliminationPlan::chains
};

// Chains that may run at the same time, then the updates of separators, which may run at the same time as each other.
struct EliminationPhase {
  int begin = 0, end = 0;                  // of EliminationPlan::chains
  int updates_begin = 0, updates_end = 0;  // of EliminationPlan::updates
};

struct EliminationPlan {
  int blocks = 0;
  std::vector<Elimination> eliminations;  // every block once
  std::vector<EliminationChain> chains;
  std::vector<SeparatorUpdate> updates;
  std::vector<EliminationPhase> phases;
  std::vector<int> position;  // [block] in eliminations

  // B^3 times this is the number of additions and multiplications of a factorization, to leading order.
  double relative_flops() const;
};

// From the first block to the last one: the block form of Thomas' algorithm.
EliminationPlan serial_plan(int blocks);
// From both ends to the block in the middle, at the same time.
EliminationPlan two_ended_plan(int blocks);
// Every second block of those that are left, level by level [Hockney1965].
EliminationPlan cyclic_reduction_plan(int blocks);
// At the same time within `partitions` parts, each from its left to its right but the last one, which goes to the left; then
// the separators between them. Takes fewer parts where there are not two blocks for each and a separator [Polizzi2006].
EliminationPlan partitioned_plan(int blocks, int partitions);

}  // namespace holo
