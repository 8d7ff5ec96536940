// Penalties of merit functions: what they promise, and when they fall.
#include "trajectory/constraint_merit.h"

#include <gtest/gtest.h>

#include "holo/opt/trajectory/trust_region_sqp.h"
#include "trajectory/penalty_reset.h"

namespace holo {
namespace constraint_merit_tests {

// After the update the model decreases by at least nu mu (|C| - |C + A p|).
TEST(ConstraintMerit, TheExactPenaltyPredictsADecrease) {
  ConstraintMerit merit(TrajectoryMerit::l2, 0.3);
  const PredictedStep costly{5, 2, 0.5}, gains{-3, 2, 0.5};
  merit.update(gains);
  EXPECT_EQ(merit.penalty(), 1);
  merit.update(costly);
  EXPECT_NEAR(merit.predicted(costly), 0.3 * merit.penalty() * 1.5, 1e-14);
  EXPECT_NEAR(merit.penalty(), 5 / (0.7 * 1.5), 1e-14);
  const double penalty = merit.penalty();
  merit.update({0.1, 2, 0.5});
  EXPECT_EQ(merit.penalty(), penalty);  // it never falls here
  merit.update({5, 2, 2});              // no decrease of |C| to pay for
  EXPECT_EQ(merit.penalty(), penalty);
  EXPECT_EQ(merit.value(7, 2), 7 + 2 * penalty);
}

// Equation 11 of [Pan2019], with the squared norm.
TEST(ConstraintMerit, ThePapersPenaltyFollowsItsEquation) {
  ConstraintMerit merit(TrajectoryMerit::paper, 0.3);
  const PredictedStep costly{5, 0.2, 0.1};
  merit.update(costly);
  EXPECT_NEAR(merit.penalty(), 5 / (0.5 * 0.04), 1e-11);
  EXPECT_NEAR(merit.value(7, 0.2), 7 + 5, 1e-12);
  EXPECT_NEAR(merit.predicted(costly), -5 + merit.penalty() * (0.04 - 0.01) / 2, 1e-12);
  merit.update({5, 0, 0});
  EXPECT_NEAR(merit.penalty(), 250, 1e-11);
}

// Ten iterations in a row, and three times at most.
TEST(PenaltyReset, LowersAPenaltyThatHasBecomeUseless) {
  ConstraintMerit merit(TrajectoryMerit::l2, 0.3);
  PenaltyReset reset;
  for (int round = 0; round < 4; ++round) {
    merit.set_penalty(1e4);
    for (int i = 0; i < 9; ++i) reset.update(5, 1, merit);
    reset.restart();  // at a point that is not feasible
    for (int i = 0; i < 9; ++i) reset.update(5, 1, merit);
    EXPECT_EQ(merit.penalty(), 1e4);
    reset.update(5, 1, merit);
    EXPECT_EQ(merit.penalty(), round < 3 ? 10 : 1e4);
  }
  PenaltyReset other;
  merit.set_penalty(499);  // below 100 |lambda|
  for (int i = 0; i < 30; ++i) other.update(5, 1, merit);
  EXPECT_EQ(merit.penalty(), 499);
}

}  // namespace constraint_merit_tests
}  // namespace holo
