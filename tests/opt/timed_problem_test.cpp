// A problem with a clock: the same optimization, and all of its parts counted.
#include "holo/opt/trajectory/timed_problem.h"

#include <gtest/gtest.h>

#include "allocation_count.h"
#include "holo/opt/trajectory/trust_region_sqp.h"
#include "hopping_mass.h"

namespace holo {
namespace timed_problem_tests {

using Eigen::VectorXd;
using test::HoppingMass;

// A clock on which each reading is one second later.
double ticks = 0;
double ticking_clock() { return ticks += 1; }

TEST(TimedProblem, ChangesNoBitOfAnOptimization) {
  HoppingMass problem(12);
  VectorXd plain = problem.start(), timed_point = plain;
  const TrustRegionSqpResult expected = TrustRegionSqp(problem, {}).solve(plain);
  HoppingMass other(12);
  TimedProblem timed(other);
  const TrustRegionSqpResult result = TrustRegionSqp(timed, {}).solve(timed_point);
  EXPECT_EQ(timed_point, plain);
  EXPECT_EQ(result.status, expected.status);
  EXPECT_EQ(result.iterations.size(), expected.iterations.size());
  EXPECT_EQ(timed.constraint_name(0), problem.constraint_name(0));
}

TEST(TimedProblem, CountsTheCallsAndAddsTheirTimes) {
  HoppingMass problem(12);
  VectorXd point = problem.start();
  TimedProblem timed(problem, ticking_clock);
  const TrustRegionSqpResult result = TrustRegionSqp(timed, {}).solve(point);
  std::int64_t evaluations = 1, linearizations = 0;  // that of the start
  for (const TrustRegionSqpIteration& iteration : result.iterations) {
    evaluations += iteration.evaluations;
    linearizations += iteration.factorizations > 0;
  }
  const ProblemTimes& times = timed.times();
  EXPECT_EQ(times.evaluations, evaluations);
  EXPECT_EQ(times.linearizations, linearizations);
  EXPECT_GE(times.factorizations, linearizations);
  EXPECT_GT(times.solutions, times.factorizations);
  // Each call takes one tick.
  EXPECT_EQ(times.evaluation, double(times.evaluations));
  EXPECT_EQ(times.linearization, double(times.linearizations));
  EXPECT_EQ(times.factorization, double(times.factorizations));
  EXPECT_EQ(times.solution, double(times.solutions));
  EXPECT_GT(times.products, 0);
  EXPECT_EQ(times.sum(), times.evaluation + times.linearization + times.factorization + times.solution + times.products);
  timed.reset_times();
  EXPECT_EQ(timed.times().sum(), 0);
}

TEST(TimedProblem, AllocatesNothing) {
  if (!test::counts_allocations) GTEST_SKIP() << "the sanitizers bring their own allocator";
  HoppingMass problem(12);
  TimedProblem timed(problem);
  VectorXd point = problem.start(), constraints(problem.constraint_count()), product(problem.constraint_count());
  VectorXd gradient(problem.unknown_count());
  timed.evaluate(point, constraints);
  timed.linearize(point, constraints, gradient);
  timed.system().multiply_jacobian(point, product);
  const auto calls = [&](EqualityConstrainedProblem& called) {
    const long before = test::allocation_count;
    called.evaluate(point, constraints);
    called.linearize(point, constraints, gradient);
    called.system().multiply_jacobian(point, product);
    return test::allocation_count - before;
  };
  EXPECT_EQ(calls(timed), calls(problem));
}

}  // namespace timed_problem_tests
}  // namespace holo
