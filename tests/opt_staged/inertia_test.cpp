// A step exists exactly where all conditions at once have the inertia of a minimum: docs/robot-design-derivations.md#the-step.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "algebra/symmetric.h"
#include "holo/opt/staged/staged_step.h"
#include "random_problem.h"
#include "staged/problem/kkt_system.h"

namespace holo {
namespace {

bool has_minimum(const StagedQuadratic& quadratic) {
  KktSystem system(*quadratic.layout);
  const Eigen::MatrixXd matrix = system.assemble(quadratic);
  EXPECT_LT((matrix - matrix.transpose()).norm(), 1e-14);
  return (test::symmetric_eigenvalues(matrix).array() > 0).count() == system.variable_count();
}

TEST(Inertia, ARecursionSucceedsExactlyWhereThereIsAMinimum) {
  int minima = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    const test::RandomProblem problem(
        {.stages = 4, .parameters = 5, .controls = 5, .states = 6, .convexity = seed % 2 ? 5.0 : 2.0, .density = 0.3}, seed);
    const StagedQuadratic quadratic = problem.quadratic();
    const auto solver = make_staged_step(StagedStepKind::arrow, problem.layout());
    StagedDirection direction(problem.layout());
    ASSERT_TRUE(solver->prepare(quadratic).solved());
    const StagedStepOutcome outcome = solver->solve(quadratic, direction);
    const bool expected = has_minimum(quadratic);
    EXPECT_EQ(outcome.solved(), expected) << "seed " << seed;
    if (!expected) {
      EXPECT_EQ(outcome.status, StagedStepOutcome::Status::not_convex);
    }
    minima += expected;
  }
  EXPECT_GE(minima, 15);
  EXPECT_LE(minima, 35);
}

}  // namespace
}  // namespace holo
