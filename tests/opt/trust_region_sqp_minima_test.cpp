// Minima that trust-region optimization with constraints finds, against closed forms and conditions of a minimum.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "complex_step_problem.h"
#include "hock_schittkowski.h"
#include "holo/opt/trajectory/trust_region_sqp.h"
#include "hopping_mass.h"

namespace holo {
namespace trust_region_sqp_minima_tests {

using test::ComplexStepProblem;
using test::HoppingMass;
using test::known_problems;
using test::KnownProblem;
using test::reals;
using test::square;
using test::values;
using Vector = ComplexStepProblem::Vector;
using Eigen::VectorXd;

void print(const std::string& name, const TrustRegionSqpResult& result) {
  if (std::getenv("HOLO_PRINT_ITERATIONS") == nullptr) return;
  std::printf("%s: %s after %zu iterations, E %.9g, C %.1e, stationarity %.1e, mu %.2g\n", name.c_str(),
              to_string(result.status).c_str(), result.iterations.size(), result.objective, result.constraint_largest,
              result.stationarity, result.iterations.back().penalty);
}

// HS27 has an unknown that is not in E, whose steps are too cheap in the metric of the Hessian: 500 iterations are not enough.
TEST(TrustRegionSqpMinima, FindsKnownMinima) {
  for (const KnownProblem& known : known_problems())
    for (TrustRegionMetric metric : {TrustRegionMetric::identity, TrustRegionMetric::hessian_diagonal}) {
      if (known.name == "HS27" && metric == TrustRegionMetric::hessian_diagonal) continue;
      ComplexStepProblem problem = make(known);
      TrustRegionSqpOptions options;
      options.metric = metric;
      VectorXd x = known.start;
      const TrustRegionSqpResult result = TrustRegionSqp(problem, options).solve(x);
      print(known.name, result);
      EXPECT_EQ(result.status, TrustRegionSqpStatus::converged) << known.name << ": " << result.diagnosis;
      // To first order E differs by lambda . C, and where its Hessian is regular by less than the squared stationarity.
      const double feasibility = result.multipliers.lpNorm<1>() * options.constraint_tolerance;
      EXPECT_NEAR(result.objective, known.minimum, 1e-6 + feasibility) << known.name;
      EXPECT_LT(result.constraint_largest, options.constraint_tolerance) << known.name;
    }
}

// min x . D x / 2 on the sphere |x| = 1 is the smallest eigenvalue, and the multiplier of |x|^2 - 1 is its negative half.
TEST(TrustRegionSqpMinima, FindsTheSmallestEigenvalueOnASphere) {
  ComplexStepProblem problem(4, 1);
  problem.objective = [](const Vector& x) {
    return 0.5 * (3.0 * square(x[0]) + 1.5 * square(x[1]) + 4.0 * square(x[2]) + 2.0 * square(x[3]));
  };
  problem.constraints = [](const Vector& x) { return values({(x.array() * x.array()).sum() - 1.0}); };
  VectorXd x = reals({1, 0.3, -0.7, 0.2});
  const TrustRegionSqpResult result = TrustRegionSqp(problem, {}).solve(x);
  ASSERT_EQ(result.status, TrustRegionSqpStatus::converged) << result.diagnosis;
  EXPECT_NEAR(result.objective, 0.75, 1e-5);
  EXPECT_NEAR(std::abs(x[1]), 1, 1e-5);
  EXPECT_NEAR(result.multipliers[0], -0.75, 1e-4);
  EXPECT_LT(result.iterations.size(), 25u);
}

TEST(TrustRegionSqpMinima, MinimizesWithoutConstraints) {
  ComplexStepProblem problem(2, 0);
  problem.residuals = [](const Vector& x) { return values({10.0 * (x[1] - square(x[0])), 1.0 - x[0]}); };
  VectorXd x = reals({-1.2, 1});
  const TrustRegionSqpResult result = TrustRegionSqp(problem, {}).solve(x);
  ASSERT_EQ(result.status, TrustRegionSqpStatus::converged) << result.diagnosis;
  EXPECT_LT((x - VectorXd::Ones(2)).norm(), 1e-5);
  EXPECT_EQ(result.largest_constraint, -1);
}

// A constraint twice: A loses rank, the shift dc keeps the systems regular.
TEST(TrustRegionSqpMinima, ConvergesWithDependentConstraints) {
  ComplexStepProblem problem(3, 2);
  problem.residuals = [](const Vector& x) { return values({x[0] - 1.0, x[1] - 2.0, x[2]}); };
  problem.constraints = [](const Vector& x) {
    const auto C = square(x[0]) + square(x[1]) + square(x[2]) - 1.0;
    return values({C, 300.0 * C});
  };
  VectorXd x = reals({0.5, 0.1, 0.7});
  const TrustRegionSqpResult result = TrustRegionSqp(problem, {}).solve(x);
  ASSERT_EQ(result.status, TrustRegionSqpStatus::converged) << result.diagnosis;
  EXPECT_LT((x - reals({1, 2, 0}) / std::sqrt(5.0)).norm(), 1e-5);
}

// Stationarity and feasibility of a trajectory with contact, by its own derivatives.
TEST(TrustRegionSqpMinima, FindsATrajectoryWithContact) {
  HoppingMass problem(12);
  VectorXd x = problem.start();
  const TrustRegionSqpResult result = TrustRegionSqp(problem, {}).solve(x);
  ASSERT_EQ(result.status, TrustRegionSqpStatus::converged) << result.diagnosis;
  VectorXd C(12), b(24);
  Eigen::MatrixXd A(12, 24);
  problem.constraints(x, C);
  problem.gradient(x, b);
  problem.jacobian(x, A);
  EXPECT_LT(C.lpNorm<Eigen::Infinity>(), 1e-5);
  EXPECT_LT((b + A.transpose() * result.multipliers).lpNorm<Eigen::Infinity>(), 1e-5);
  EXPECT_LT(x[0], 0);     // it pushes off the ground first
  EXPECT_GT(x[11], 0.1);  // and has left it in the end
  print("hopping mass", result);
}

std::size_t iterations_with(EqualityConstrainedProblem& problem, VectorXd x, TrajectoryMerit merit, const std::string& name) {
  TrustRegionSqpOptions options;
  options.metric = TrustRegionMetric::identity;
  options.merit = merit;
  const TrustRegionSqpResult result = TrustRegionSqp(problem, options).solve(x);
  print(name + (merit == TrajectoryMerit::paper ? ", paper" : ", l2"), result);
  EXPECT_TRUE(merit == TrajectoryMerit::paper || result.status == TrustRegionSqpStatus::converged) << result.diagnosis;
  return result.status == TrustRegionSqpStatus::converged ? result.iterations.size() : std::size_t(options.max_iterations);
}

// The paper's merit function needs an ever larger penalty near feasible points.
TEST(TrustRegionSqpMinima, TheExactMeritFunctionNeedsAtMostAsManyIterationsAsThePapers) {
  std::size_t exact = 0, papers = 0;
  const auto compare = [&](auto& problem, const VectorXd& start, const std::string& name) {
    const std::size_t first = iterations_with(problem, start, TrajectoryMerit::l2, name);
    const std::size_t second = iterations_with(problem, start, TrajectoryMerit::paper, name);
    EXPECT_LE(first, second) << name;
    exact += first;
    papers += second;
  };
  for (const KnownProblem& known : known_problems()) {
    ComplexStepProblem problem = make(known);
    compare(problem, known.start, known.name);
  }
  for (double scale : {1.0, 1e3, 1e5}) {
    HoppingMass problem(24);
    problem.scale = scale;
    compare(problem, problem.start(), "hopping mass, E times " + std::to_string(scale));
  }
  EXPECT_LT(2 * exact, papers);
}

// A curved constraint on which every linearized step gains in E and loses in |C| [Maratos1978].
TEST(TrustRegionSqpMinima, SecondOrderCorrectionsTakeFullStepsAlongACurvedConstraint) {
  const auto iterations = [](bool correction) {
    ComplexStepProblem problem(2, 1);
    problem.objective = [](const Vector& x) { return 2.0 * (square(x[0]) + square(x[1]) - 1.0) - x[0]; };
    problem.constraints = [](const Vector& x) { return values({square(x[0]) + square(x[1]) - 1.0}); };
    TrustRegionSqpOptions options;
    options.second_order_correction = correction;
    options.initial_penalty = 10;
    VectorXd x = reals({std::cos(0.8), std::sin(0.8)});
    const TrustRegionSqpResult result = TrustRegionSqp(problem, options).solve(x);
    EXPECT_EQ(result.status, TrustRegionSqpStatus::converged) << result.diagnosis;
    EXPECT_NEAR(x[0], 1, 1e-5);  // the tolerance of stationarity over the curvature
    bool any = false;
    for (const auto& iteration : result.iterations) any = any || iteration.second_order_correction;
    EXPECT_EQ(any, correction);
    return result.iterations.size();
  };
  EXPECT_LT(iterations(true), iterations(false));
}

}  // namespace trust_region_sqp_minima_tests
}  // namespace holo
