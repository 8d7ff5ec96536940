#include "holo/sim/mechanism/constraints/redundant_equations.h"

#include <gtest/gtest.h>

#include <functional>

#include "oracle_mechanisms.h"

namespace holo {
namespace {

using oracle::Oracle;

struct Expected {
  const char* name;
  std::function<MechanismModel()> make;
  int states, equations, passive_equations, passive_rank, mobility, passive_redundant, active_redundant;
};

std::ostream& operator<<(std::ostream& out, const Expected& expected) { return out << expected.name; }

class RedundantEquationsOf : public testing::TestWithParam<Expected> {};

EliminationResult select_at_rest(const Oracle& mechanism) {
  const Eigen::MatrixXd state = mechanism.layout->rest_state(), controls = mechanism.layout->rest_controls(),
                        prescribed = mechanism.nothing_prescribed(1);
  const Eigen::VectorXd parameters = mechanism.layout->rest_parameters();
  return eliminate_redundant_equations(*mechanism.equations, {state, controls, parameters, prescribed});
}

TEST_P(RedundantEquationsOf, RestHasTheKnownRanks) {
  const Expected& expected = GetParam();
  const Oracle mechanism(expected.make());
  EXPECT_EQ(mechanism.layout->state_count(), expected.states);
  EXPECT_EQ(int(mechanism.layout->equations().size()), expected.equations);
  const EliminationResult result = select_at_rest(mechanism);
  EXPECT_EQ(result.passive_equations, expected.passive_equations);
  EXPECT_EQ(result.passive_rank, expected.passive_rank);
  EXPECT_EQ(result.mobility, expected.mobility);
  EXPECT_EQ(result.passive_redundant, expected.passive_redundant);
  EXPECT_EQ(result.active_redundant, expected.active_redundant);
  EXPECT_TRUE(result.near_singular.empty());
  EXPECT_GT(result.poses[0].smallest_independent, 1e-6);
}

TEST_P(RedundantEquationsOf, RestSatisfiesAllRowsAndIsNotFlipped) {
  const Oracle mechanism(GetParam().make());
  const Eigen::MatrixXd state = mechanism.layout->rest_state(), controls = mechanism.layout->rest_controls(),
                        prescribed = mechanism.nothing_prescribed(1);
  const Eigen::VectorXd parameters = mechanism.layout->rest_parameters();
  const MechanismUnknowns rest{state, controls, parameters, prescribed};
  Eigen::MatrixXd residual(mechanism.layout->equations().size(), 1);
  mechanism.equations->all_equations(rest, residual);
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_TRUE(mechanism.equations->is_unflipped(rest, 0));
}

// docs/robot-design-derivations.md#ranks-and-mobility
INSTANTIATE_TEST_SUITE_P(
    All, RedundantEquationsOf,
    testing::Values(Expected{"four_bar", [] { return oracle::four_bar(); }, 28, 31, 30, 27, 1, 3, 0},
                    Expected{"bennett", oracle::bennett, 28, 31, 30, 27, 1, 3, 0},
                    Expected{"sarrus", oracle::sarrus, 42, 43, 42, 41, 1, 1, 0},
                    Expected{"bricard", oracle::bricard, 42, 43, 42, 41, 1, 1, 0},
                    Expected{"slider_crank", [] { return oracle::slider_crank(); }, 28, 31, 30, 27, 1, 3, 0},
                    Expected{"stewart", oracle::stewart, 98, 98, 92, 92, 6, 0, 0},
                    Expected{"watt", oracle::watt, 42, 48, 47, 41, 1, 6, 0},
                    Expected{"stephenson", oracle::stephenson, 42, 48, 47, 41, 1, 6, 0},
                    Expected{"spherical_five_bar", oracle::spherical_five_bar, 35, 38, 36, 33, 2, 3, 0},
                    Expected{"kickbot", [] { return oracle::paper_robot("kickbot"); }, 259, 259, 245, 245, 14, 0, 0},
                    Expected{"kickbot_merged", [] { return oracle::paper_robot("kickbot_merged"); }, 105, 105, 91, 91, 14, 0,
                             0},
                    Expected{"legs", [] { return oracle::paper_robot("legs"); }, 182, 190, 182, 176, 6, 6, 2},
                    Expected{"bear", [] { return oracle::paper_robot("bear"); }, 371, 374, 362, 362, 9, 0, 3},
                    Expected{"biker", [] { return oracle::paper_robot("biker"); }, 280, 280, 278, 278, 2, 0, 0}),
    [](const auto& mechanism) { return std::string(mechanism.param.name); });

TEST(Closure, ChainsOfBennettAndBricardClose) {
  EXPECT_LT(oracle::closure(oracle::bennett_links()), 1e-12);
  EXPECT_GT(oracle::closure(oracle::bennett_links(1.2, 1.02)), 1e-3);
  EXPECT_LT(oracle::closure(oracle::bricard_links()), 1e-12);
}

}  // namespace
}  // namespace holo
