// The merit function of the sequential quadratic programming: the weight of its constraints, and its own error.
#include <gtest/gtest.h>

#include <cmath>

#include "holo/opt/staged/staged_sqp.h"
#include "small_problem.h"
#include "sqp/merit_penalty.h"
#include "staged/sqp/staged_merit.h"

namespace holo {
namespace merit {

using test::SmallProblem;

// Of a problem with one state, one control and three knots.
StagedMultipliers multipliers(double of_states, double of_rates) {
  StagedMultipliers result{Eigen::MatrixXd::Zero(1, 3), Eigen::MatrixXd::Zero(1, 2), Eigen::MatrixXd::Zero(1, 2),
                           Eigen::VectorXd::Zero(0), Eigen::MatrixXd::Zero(0, 3)};
  result.states(0, 1) = of_states;
  result.rates(0, 0) = of_rates;
  return result;
}

// An L1 merit function is exact, and its steps go down, only where the penalty exceeds every multiplier.
TEST(MeritPenalty, ExceedsEveryMultiplier) {
  MeritPenalty penalty;
  for (const double size : {1e-3, 2.0, 2.1, 700.0, 650.0, 1e-2}) {
    penalty.update(size, -1, 1, 0);
    EXPECT_GE(penalty.value(), 1.1 * size);
    penalty.update(3 * size, -1, 1, 0);
    EXPECT_GE(penalty.value(), 3.3 * size);
  }
}

// Far too large a penalty makes steps tiny: it follows falling multipliers, but not at once, lest it go up and down.
TEST(MeritPenalty, FollowsMultipliersDownAfterAWhile) {
  MeritPenalty penalty;
  penalty.update(1000, -1, 1, 0);
  const double high = penalty.value();
  EXPECT_LE(high, 20 * 1000);
  int updates = 0;
  while (penalty.value() == high && updates < 20) penalty.update(1, -1, 1, 0), ++updates;
  EXPECT_GT(updates, 2);
  EXPECT_LE(updates, 6);
  EXPECT_GE(penalty.value(), 1.1);
  EXPECT_LE(penalty.value(), 20);
}

// Multipliers of the equality of p at all knots take no part: that constraint always holds.
TEST(StagedMerit, TheLargestMultiplierLeavesOutWhatAlwaysHolds) {
  StagedMultipliers some = multipliers(-2, 0.5);
  EXPECT_EQ(largest_multiplier(some), 2);
  EXPECT_EQ(largest_multiplier(multipliers(0.1, -3)), 3);
  some.parameters_equal.setConstant(1e6);
  EXPECT_EQ(largest_multiplier(some), 2);
}

// Where constraints are violated, the model's minimizer has to be a way down of the merit function.
TEST(MeritPenalty, MakesTheStepADescent) {
  constexpr double slope = 5, curvature = 2, violation = 0.1;
  MeritPenalty penalty;
  penalty.update(1, slope, curvature, violation);
  EXPECT_LT(slope - penalty.value() * violation, 0);
  EXPECT_LE(slope + 0.5 * curvature - 0.5 * penalty.value() * violation, 1e-12);
}

// s = u + p, near its minimum; residuals come out of a computation with an error of 0.9e-12 everywhere but at the start, below
// what the retraction of states goes on for. Over 200 knots the penalty makes more of that than the last step gains.
TEST(StagedSqp, ErrorsOfTheConstraintsDoNotStopTheLineSearch) {
  SmallProblem problem = test::linear_problem(200);
  StagedPoint point = problem.start(0.3, -0.2, 0.1);
  ASSERT_EQ(StagedSqp(problem, {}).solve(point).status, StagedSqpStatus::converged);
  const double best = point.parameters[0], start = best + 2e-7;
  point.parameters[0] = start;
  point.states.array() += 2e-7;
  const auto constraint = problem.constraint;
  problem.constraint = [=](const Eigen::VectorXd& x) {
    return Eigen::VectorXd(constraint(x).array() + (x[0] == start ? 0 : 0.9e-12));
  };
  StagedSqpOptions options;
  options.second_order_correction = false;  // which takes an error away that is the same everywhere
  const StagedSqpResult result = StagedSqp(problem, options).solve(point);
  EXPECT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
  EXPECT_NEAR(point.parameters[0], best, 1e-9);
}

}  // namespace merit
}  // namespace holo
