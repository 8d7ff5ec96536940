// Trust-region optimization with constraints: its trials, its ends, its memory and its errors.
#include "holo/opt/trajectory/trust_region_sqp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "allocation_count.h"
#include "complex_step_problem.h"
#include "error_message.h"
#include "hock_schittkowski.h"
#include "holo/core/error.h"
#include "hopping_mass.h"

namespace holo {
namespace trust_region_sqp_tests {

using test::ComplexStepProblem;
using test::HoppingMass;
using test::reals;
using test::square;
using test::values;
using Vector = ComplexStepProblem::Vector;
using Eigen::VectorXd;

// x = 0 and x = 1 at once, whose scaled norm is least at 1/2; the objective's free unknown is minimal.
TEST(TrustRegionSqp, NamesConstraintsThatContradictEachOther) {
  ComplexStepProblem problem(2, 2);
  problem.residuals = [](const Vector& x) { return values({x[0] - 3.0, x[1] - 7.0}); };
  problem.constraints = [](const Vector& x) { return values({x[0], x[0] - 1.0}); };
  VectorXd x = reals({5, 5});
  const TrustRegionSqpResult result = TrustRegionSqp(problem, {}).solve(x);
  EXPECT_EQ(result.status, TrustRegionSqpStatus::infeasible) << result.diagnosis;
  EXPECT_NEAR(x[0], 0.5, 1e-6);
  EXPECT_NEAR(x[1], 7, 1e-6);
  EXPECT_NE(result.diagnosis.find("constraint "), std::string::npos);
  EXPECT_NE(result.diagnosis.find("contradict"), std::string::npos);
}

// x^2 + 1 = 0 has its least norm at 0, where A vanishes.
TEST(TrustRegionSqp, EndsAtTheLeastNormOfAnEquationWithoutSolution) {
  ComplexStepProblem problem(1, 1);
  problem.residuals = [](const Vector& x) { return values({x[0] - 3.0}); };
  problem.constraints = [](const Vector& x) { return values({square(x[0]) + 1.0}); };
  VectorXd x = reals({2});
  const TrustRegionSqpResult result = TrustRegionSqp(problem, {}).solve(x);
  EXPECT_EQ(result.status, TrustRegionSqpStatus::infeasible) << result.diagnosis;
  EXPECT_NEAR(x[0], 0, 1e-2);
  EXPECT_NEAR(result.constraint_largest, 1, 1e-4);
}

template <class MakeProblem>
void expect_parts_make_the_whole(const MakeProblem& make_problem, const VectorXd& start) {
  VectorXd whole = start, parts = start;
  auto problem = make_problem();
  const TrustRegionSqpResult expected = TrustRegionSqp(*problem, {}).solve(whole);
  ASSERT_GT(expected.iterations.size(), 4u);
  TrustRegionSqpState state = TrustRegionSqp(*problem, {}).begin();
  TrustRegionSqpResult result;
  std::size_t count = 0;
  do {
    const auto other = make_problem();
    result = TrustRegionSqp(*other, {}).advance(parts, state, 1);
    for (const TrustRegionSqpIteration& iteration : result.iterations) {
      ASSERT_LT(count, expected.iterations.size());
      const TrustRegionSqpIteration& wanted = expected.iterations[count++];
      EXPECT_EQ(iteration.iteration, int(count));
      EXPECT_EQ(iteration.objective, wanted.objective);
      EXPECT_EQ(iteration.penalty, wanted.penalty);
      EXPECT_EQ(iteration.radius, wanted.radius);
      EXPECT_EQ(iteration.step_norm, wanted.step_norm);
      EXPECT_EQ(iteration.shift, wanted.shift);
    }
  } while (result.status == TrustRegionSqpStatus::unfinished);
  EXPECT_EQ(result.status, expected.status);
  EXPECT_EQ(count, expected.iterations.size());
  EXPECT_EQ(parts, whole);
  EXPECT_EQ(result.multipliers, expected.multipliers);
}

// New solvers continue from stored states, also after refused trials and with multipliers in the model.
TEST(TrustRegionSqp, PartsOfAnOptimizationMakeTheWholeBitForBit) {
  const auto hopping = [] { return std::make_unique<HoppingMass>(12); };
  expect_parts_make_the_whole(hopping, hopping()->start());
  const test::KnownProblem known = test::known_problem("HS39");
  expect_parts_make_the_whole([&] { return std::make_unique<ComplexStepProblem>(test::make(known)); }, known.start);
}

// A refused trial costs an evaluation, with a correction two, but no factorization and no derivatives.
TEST(TrustRegionSqp, RefusedTrialsReuseTheFactors) {
  const test::KnownProblem known = test::known_problem("HS39");
  ComplexStepProblem problem = test::make(known);
  VectorXd x = known.start;
  const TrustRegionSqpResult result = TrustRegionSqp(problem, {}).solve(x);
  int refused = 0, taken = 0, evaluations = 1;
  for (std::size_t i = 0; i + 1 < result.iterations.size(); ++i) {
    const bool is_taken = result.iterations[i].step_length == 1;
    (is_taken ? taken : refused) += 1;
    evaluations += result.iterations[i].evaluations;
    EXPECT_EQ(result.iterations[i + 1].factorizations, is_taken ? 2 : 0);
  }
  EXPECT_GT(refused, 0);
  EXPECT_EQ(problem.linearizations, taken + 1);
  EXPECT_EQ(problem.evaluations, evaluations);
}

// E = x - log x on x y = 1 from a start whose first step leaves the domain x > 0.
TEST(TrustRegionSqp, RefusesTrialsOutsideTheDomain) {
  ComplexStepProblem problem(2, 1);
  problem.objective = [](const Vector& x) {
    return x[0].real() > 0 ? x[0] - std::log(x[0]) : std::complex<double>(std::numeric_limits<double>::quiet_NaN());
  };
  problem.constraints = [](const Vector& x) { return values({x[0] * x[1] - 1.0}); };
  VectorXd x = reals({6, 0.01});
  TrustRegionSqpOptions options;
  options.initial_radius = 100;
  const TrustRegionSqpResult result = TrustRegionSqp(problem, options).solve(x);
  ASSERT_EQ(result.status, TrustRegionSqpStatus::converged) << result.diagnosis;
  EXPECT_LT((x - VectorXd::Ones(2)).norm(), 1e-4);
  int outside = 0;
  for (const TrustRegionSqpIteration& iteration : result.iterations)
    if (std::isnan(iteration.ratio)) {
      ++outside;
      EXPECT_EQ(iteration.step_length, 0);
    }
  EXPECT_GT(outside, 0);
}

TEST(TrustRegionSqp, TheCapBoundsConstraintsOfTakenSteps) {
  const auto largest = [](double cap) {
    HoppingMass problem(12);
    TrustRegionSqpOptions options;
    options.constraint_cap = cap;
    VectorXd x = problem.start();
    double found = 0;
    for (const auto& iteration : TrustRegionSqp(problem, options).solve(x).iterations)
      found = std::max(found, iteration.constraint_largest);
    return found;
  };
  const double free = largest(std::numeric_limits<double>::infinity()), cap = free / 10;
  ASSERT_GT(free, 0.1);
  EXPECT_LE(largest(cap), cap);
}

TEST(TrustRegionSqp, StopsAtASmallStepWhereAskedTo) {
  const auto iterations = [](bool stop) {
    const test::KnownProblem known = test::known_problem("HS42");
    ComplexStepProblem problem = test::make(known);
    TrustRegionSqpOptions options;
    options.stop_at_small_step = stop;
    VectorXd x = known.start;
    const TrustRegionSqpResult result = TrustRegionSqp(problem, options).solve(x);
    EXPECT_EQ(result.status, stop ? TrustRegionSqpStatus::small_step : TrustRegionSqpStatus::converged);
    EXPECT_EQ(result.iterations.back().is_small_step && result.iterations.back().evaluations > 0, stop);
    EXPECT_LT(result.iterations.back().step_largest, options.step_tolerance);
    EXPECT_LT(result.constraint_largest, options.constraint_tolerance);
    return result.iterations.size();
  };
  EXPECT_LT(iterations(true), iterations(false));
}

// A gradient with the wrong sign: no step decreases the merit function.
TEST(TrustRegionSqp, StallsWithWrongDerivatives) {
  HoppingMass problem(6);
  const auto gradient = problem.gradient;
  problem.gradient = [&](const VectorXd& x, VectorXd& b) {
    gradient(x, b);
    b = -b;
  };
  VectorXd x = problem.start();
  const TrustRegionSqpResult result = TrustRegionSqp(problem, {}).solve(x);
  EXPECT_EQ(result.status, TrustRegionSqpStatus::stalled) << result.diagnosis;
  EXPECT_NE(result.diagnosis.find("check the derivatives"), std::string::npos) << result.diagnosis;
  EXPECT_GT(result.stationarity, 1e-5);
}

TEST(TrustRegionSqp, IterationsAllocateNothing) {
  ASSERT_EQ(test::an_allocation_counts(), test::counts_allocations);
  const auto allocations = [](int iterations) {
    HoppingMass problem(12);
    TrustRegionSqpOptions options;
    TrustRegionSqp solver(problem, options);
    VectorXd x = problem.start();
    TrustRegionSqpState state = solver.begin();
    solver.advance(x, state, 2);
    const long before = test::allocation_count;
    const auto result = solver.advance(x, state, iterations);
    EXPECT_EQ(int(result.iterations.size()), iterations);
    return test::allocation_count - before;
  };
  EXPECT_EQ(allocations(1), allocations(6));
}

TEST(TrustRegionSqpBadInput, IsNamed) {
  HoppingMass problem(3);
  test::expect_part(test::message([&] {
                      VectorXd x(5);
                      TrustRegionSqp(problem, {}).solve(x);
                    }),
                    "the point has 5 entries; the problem needs 6");
  test::expect_part(test::message([&] {
                      VectorXd x = problem.start();
                      TrustRegionSqpState state;
                      state.multipliers.setZero(4);
                      TrustRegionSqp(problem, {}).advance(x, state, 1);
                    }),
                    "multipliers has 4 entries; the problem needs 3");
  test::expect_part(test::message([&] {
                      TrustRegionSqpOptions options;
                      options.normal_fraction = 1;
                      TrustRegionSqp solver(problem, options);
                    }),
                    "normal_fraction is 1; it must be between 0 and 1");
  test::expect_part(test::message([&] { DenseSaddlePoint(0, 1); }), "at least one unknown");
}

TEST(TrustRegionSqp, TellsWhyItCannotStart) {
  HoppingMass problem(3);
  VectorXd x = problem.start();
  x[1] = std::numeric_limits<double>::quiet_NaN();
  const TrustRegionSqpResult outside = TrustRegionSqp(problem, {}).solve(x);
  EXPECT_EQ(outside.status, TrustRegionSqpStatus::outside_the_domain);
  EXPECT_NE(outside.diagnosis.find("constraint 1 is not finite"), std::string::npos) << outside.diagnosis;
  x = problem.start();
  const auto jacobian = problem.jacobian;
  problem.jacobian = [&](const VectorXd& point, Eigen::MatrixXd& A) {
    jacobian(point, A);
    A(2, 2) = std::numeric_limits<double>::infinity();
  };
  EXPECT_EQ(TrustRegionSqp(problem, {}).solve(x).status, TrustRegionSqpStatus::not_finite);
}

}  // namespace trust_region_sqp_tests
}  // namespace holo
