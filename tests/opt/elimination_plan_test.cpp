// Orders of elimination of a path of blocks.
#include "block_tridiagonal/elimination_plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace holo {
namespace elimination_plan_tests {

struct Named {
  const char* name;
  std::function<EliminationPlan(int)> make;
};
const Named plans[] = {{"serial", serial_plan},
                       {"two-ended", two_ended_plan},
                       {"cyclic reduction", cyclic_reduction_plan},
                       {"3 parts", [](int blocks) { return partitioned_plan(blocks, 3); }},
                       {"8 parts", [](int blocks) { return partitioned_plan(blocks, 8); }}};

// Neighbors are the nearest blocks that come later; of these, a chain changes its own and its two separators alone, and no
// block that another chain of its phase eliminates.
TEST(EliminationPlan, EveryBlockIsEliminatedOnceAndChainsOfAPhaseAreIndependent) {
  for (const Named& named : plans)
    for (int blocks = 1; blocks <= 40; ++blocks) {
      SCOPED_TRACE(std::string(named.name) + " of " + std::to_string(blocks));
      const EliminationPlan plan = named.make(blocks);
      std::set<int> left;
      for (int i = 0; i < blocks; ++i) left.insert(i);
      std::size_t eliminations = 0;
      for (const EliminationPhase& phase : plan.phases)
        for (int c = phase.begin; c < phase.end; ++c) {
          const EliminationChain& chain = plan.chains[std::size_t(c)];
          std::set<int> own;
          for (int i = chain.begin; i < chain.end; ++i) own.insert(plan.eliminations[std::size_t(i)].block);
          for (int i = chain.begin; i < chain.end; ++i, ++eliminations) {
            const Elimination& e = plan.eliminations[std::size_t(i)];
            ASSERT_EQ(plan.position[std::size_t(e.block)], i);
            const auto at = left.find(e.block);
            ASSERT_NE(at, left.end());
            ASSERT_EQ(e.left, at == left.begin() ? -1 : *std::prev(at));
            ASSERT_EQ(e.right, std::next(at) == left.end() ? -1 : *std::next(at));
            ASSERT_TRUE(e.left < 0 || own.count(e.left) != 0 || e.left == chain.left_separator);
            ASSERT_TRUE(e.right < 0 || own.count(e.right) != 0 || e.right == chain.right_separator);
            left.erase(at);
          }
          for (int separator : {chain.left_separator, chain.right_separator})
            ASSERT_TRUE(separator < 0 || plan.position[std::size_t(separator)] >= plan.chains[std::size_t(phase.end) - 1].end);
        }
      EXPECT_EQ(eliminations, std::size_t(blocks));
    }
}

TEST(EliminationPlan, EveryChainsSeparatorsAreUpdatedByIt) {
  for (const Named& named : plans)
    for (int blocks = 1; blocks <= 40; ++blocks) {
      const EliminationPlan plan = named.make(blocks);
      for (const EliminationPhase& phase : plan.phases) {
        std::multiset<std::pair<int, int>> expected, found;  // chain and separator
        for (int c = phase.begin; c < phase.end; ++c)
          for (int separator : {plan.chains[std::size_t(c)].left_separator, plan.chains[std::size_t(c)].right_separator})
            if (separator >= 0) expected.insert({c, separator});
        std::set<int> updated;
        for (int u = phase.updates_begin; u < phase.updates_end; ++u) {
          const SeparatorUpdate& update = plan.updates[std::size_t(u)];
          EXPECT_TRUE(updated.insert(update.block).second) << "updated twice at the same time";
          for (int chain : {update.left_chain, update.right_chain})
            if (chain >= 0) found.insert({chain, update.block});
        }
        EXPECT_EQ(found, expected) << named.name << " of " << blocks;
      }
    }
}

TEST(EliminationPlan, PhasesAndOperationsAreThoseOfTheMethods) {
  const double last = 1.0 / 3;
  EXPECT_DOUBLE_EQ(serial_plan(20).relative_flops(), 19 * 7.0 / 3 + last);
  EXPECT_EQ(serial_plan(20).phases.size(), 1u);
  EXPECT_DOUBLE_EQ(two_ended_plan(21).relative_flops(), 20 * 7.0 / 3 + last);
  EXPECT_EQ(two_ended_plan(21).phases.size(), 2u);
  EXPECT_EQ(cyclic_reduction_plan(31).phases.size(), 5u);
  EXPECT_EQ(partitioned_plan(40, 4).phases.front().end, 4);
  EXPECT_LT(partitioned_plan(40, 4).relative_flops(), cyclic_reduction_plan(40).relative_flops());
  // The work of parts differs by no more than a block with two neighbors has.
  const EliminationPlan plan = partitioned_plan(60, 5);
  for (int c = 0; c < 5; ++c) {
    double work = 0;
    for (int i = plan.chains[std::size_t(c)].begin; i < plan.chains[std::size_t(c)].end; ++i) {
      const Elimination& e = plan.eliminations[std::size_t(i)];
      work += e.left >= 0 && e.right >= 0 ? 19.0 / 3 : 7.0 / 3;
    }
    EXPECT_NEAR(work, plan.chains[0].end * 7.0 / 3, 19.0 / 3);
  }
}

}  // namespace elimination_plan_tests
}  // namespace holo
