// Factors of dC/ds in lanes and by KLU, against dense ones.

#include "staged/arrow/state_factors.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "random_problem.h"
#include "staged/arrow/stage_recovery.h"

namespace holo {
namespace {

using test::RandomProblem;

Eigen::MatrixXd dense(const StagedQuadratic& quadratic, int stage) {
  StagePattern copy = quadratic.layout->states_jacobian;
  for (int e = 0; e < int(copy.nonZeros()); ++e)
    copy.valuePtr()[e] = quadratic.blocks[std::size_t(stage / stage_lanes)].states_jacobian(e, stage % stage_lanes);
  return copy;
}

// The largest error of solutions with all knots' matrices, relative.
double solution_error(const StagedQuadratic& quadratic, StateFactors& factors, bool transposed) {
  const int ns = quadratic.layout->state_count;
  double largest = 0;
  StageLanes x(ns, stage_lanes), work(2 * ns, stage_lanes);
  for (int block = 0; block < quadratic.layout->block_count(); ++block) {
    for (int i = 0; i < ns; ++i) x.row(i).setConstant(std::sin(3.0 * i));
    const Eigen::VectorXd right = x.col(0);
    transposed ? factors.solve_transposed(block, x.data(), work.data()) : factors.solve(block, x.data(), work.data());
    for (int lane = 0; lane < std::min(stage_lanes, quadratic.layout->stage_count - block * stage_lanes); ++lane) {
      Eigen::MatrixXd matrix = dense(quadratic, block * stage_lanes + lane);
      if (transposed) matrix.transposeInPlace();
      const Eigen::VectorXd exact = matrix.fullPivLu().solve(right);
      largest = std::max(largest, (x.col(lane) - exact).norm() / exact.norm());
    }
  }
  return largest;
}

TEST(StateFactors, SolveInLanesAndByKlu) {
  const RandomProblem problem({.stages = 19}, 2);
  const StagedQuadratic quadratic = problem.quadratic();
  for (StateFactorization kind : {StateFactorization::lanes, StateFactorization::klu}) {
    StateFactors factors(problem.layout(), kind);
    ASSERT_EQ(factors.factor(quadratic.blocks), -1);
    EXPECT_EQ(factors.klu_count(), kind == StateFactorization::klu ? 19 : 0);
    for (int again = 0; again < 2; ++again) {
      EXPECT_LT(solution_error(quadratic, factors, false), 1e-12);
      EXPECT_LT(solution_error(quadratic, factors, true), 1e-12);
      ASSERT_EQ(factors.factor(quadratic.blocks), -1);
    }
  }
}

// Two knots side by side that no order of pivots serves both.
TEST(StateFactors, AStageThatNoOrderSuitsIsFactoredAlone) {
  RandomProblem problem({.stages = 2 * stage_lanes, .states = 2, .density = 1}, 2);
  for (int lane = 0; lane < stage_lanes; ++lane) {
    const double small = 1e-9;
    problem.block(0).states_jacobian.col(lane) << (lane % 2 ? 1 : small), (lane % 2 ? small : 1), (lane % 2 ? small : 1),
        (lane % 2 ? 1 : small);
  }
  const StagedQuadratic quadratic = problem.quadratic();
  StateFactors factors(problem.layout(), StateFactorization::lanes);
  ASSERT_EQ(factors.factor(quadratic.blocks), -1);
  EXPECT_GT(factors.klu_count(), 0);
  EXPECT_LT(factors.klu_count(), stage_lanes);
  EXPECT_LT(solution_error(quadratic, factors, false), 1e-12);
  EXPECT_LT(solution_error(quadratic, factors, true), 1e-12);
}

TEST(StateFactors, TheSmallestSingularValueIsEstimatedFromAbove) {
  const RandomProblem problem({.stages = 12, .states = 15}, 4);
  const StagedQuadratic quadratic = problem.quadratic();
  StateFactors factors(problem.layout(), StateFactorization::lanes);
  ASSERT_EQ(factors.factor(quadratic.blocks), -1);
  double smallest = 1e300;
  for (int k = 0; k < 12; ++k) smallest = std::min(smallest, dense(quadratic, k).jacobiSvd().singularValues().minCoeff());
  const double estimate = StageRecovery(problem.layout(), factors).smallest_singular_value();
  EXPECT_GE(estimate, smallest * (1 - 1e-9));
  EXPECT_LT(estimate, 3 * smallest);
}

TEST(StateFactorsBadInput, ASingularMatrixIsFoundAtItsStage) {
  for (StateFactorization kind : {StateFactorization::lanes, StateFactorization::klu}) {
    RandomProblem problem({.stages = 19}, 2);
    const StagePattern& pattern = problem.layout().states_jacobian;
    for (int e = pattern.outerIndexPtr()[5]; e < pattern.outerIndexPtr()[6]; ++e)
      problem.block(11 / stage_lanes).states_jacobian(e, 11 % stage_lanes) = 0;
    StateFactors factors(problem.layout(), kind);
    EXPECT_EQ(factors.factor(problem.quadratic().blocks), 11) << to_string(kind);
  }
}

TEST(StateFactorsBadInput, APatternThatIsSingularIsFoundAtOnce) {
  RandomProblem problem({}, 2);
  StagedLayout layout = problem.layout();
  StagePattern empty(layout.state_count, layout.state_count);
  empty.makeCompressed();
  layout.states_jacobian = empty;
  StateFactors factors(layout, StateFactorization::lanes);
  StagedQuadratic quadratic(layout);
  EXPECT_EQ(factors.factor(quadratic.blocks), 0);
}

}  // namespace
}  // namespace holo
