// Penalized constraints, and their minimization by the method of Levenberg and Marquardt.
#include "holo/opt/trajectory/levenberg_marquardt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "allocation_count.h"
#include "banded_cases.h"
#include "error_message.h"
#include "hock_schittkowski.h"
#include "holo/core/error.h"
#include "hopping_mass.h"

namespace holo {
namespace levenberg_marquardt_tests {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::ComplexStepProblem;
using test::HoppingMass;
using test::reals;

// F by complex steps of the problem's own functions.
VectorXd penalized_gradient(const ComplexStepProblem& problem, double weight, const VectorXd& x) {
  const auto value = [&](const Eigen::VectorXcd& z) -> Eigen::VectorXcd {
    const std::complex<double> E = problem.residuals ? problem.residuals(z).array().square().sum() : problem.objective(z);
    return Eigen::VectorXcd::Constant(1, E + weight * problem.constraints(z).array().square().sum());
  };
  return ComplexStepProblem::jacobian(value, x).transpose();
}

TEST(PenalizedProblem, HasTheValueAndGradientOfTheObjectiveAndSquaredConstraints) {
  for (const char* name : {"HS27", "HS39", "HS79"}) {
    const test::KnownProblem known = test::known_problem(name);
    ComplexStepProblem problem = test::make(known);
    PenalizedProblem soft(problem, 7);
    VectorXd C(known.constraints), g(known.start.size());
    const double E = problem.evaluate(known.start, C);
    EXPECT_NEAR(soft.value(known.start), E + 7 * C.squaredNorm(), 1e-14 * std::abs(E + 7 * C.squaredNorm()));
    soft.gradient(known.start, g);
    const VectorXd expected = penalized_gradient(problem, 7, known.start);
    EXPECT_LT((g - expected).norm(), 1e-13 * expected.norm()) << name;
    SqpIteration log;
    soft.describe(log);
    EXPECT_EQ(log.objective, E);
    EXPECT_EQ(log.constraint_largest, C.lpNorm<Eigen::Infinity>());
    EXPECT_EQ(log.penalty, 7);
  }
}

// Gives its own gradient of the Lagrangian.
struct DifferentiableHop : HoppingMass {
  DifferentiableHop() : HoppingMass(4) {}
  int calls = 0;
  bool differentiate(const VectorXd& x, const VectorXd& multipliers, VectorXd& g) override {
    ++calls;
    MatrixXd A(N, 2 * N);
    A.setZero();
    jacobian(x, A);
    gradient(x, g);
    g += A.transpose() * multipliers;
    return true;
  }
};

TEST(PenalizedProblem, UsesTheGradientOfTheLagrangianWhereTheProblemHasOne) {
  DifferentiableHop own;
  HoppingMass plain(4);
  PenalizedProblem first(own, 2), second(plain, 2);
  VectorXd x = own.start(), g(8), h(8);
  x[2] += 0.1;
  first.value(x), second.value(x);
  first.gradient(x, g), second.gradient(x, h);
  EXPECT_EQ(own.calls, 1);
  EXPECT_EQ(own.linearizations, 0);
  EXPECT_EQ(plain.linearizations, 1);
  EXPECT_LT((g - h).norm(), 1e-14 * h.norm());
}

// A linear least-squares problem with a banded system, whose minimum is the solution of its normal equations.
struct BandedLeastSquares final : EqualityConstrainedProblem {
  explicit BandedLeastSquares(const BandedSaddleShape& shape) : systems(shape) {
    const int n = systems.unknowns(), m = systems.constraints();
    b = test::random_vector(n, 1), d = test::random_vector(m, 2);
  }
  // x . H x / 2 + b . x and A x - d.
  int unknown_count() const override { return systems.unknowns(); }
  int constraint_count() const override { return systems.constraints(); }
  double evaluate(const VectorXd& x, VectorXd& C) override {
    C = systems.dense.jacobian() * x - d;
    return x.dot(systems.dense.hessian() * x) / 2 + b.dot(x);
  }
  void linearize(const VectorXd& x, const VectorXd&, VectorXd& g) override { g = systems.dense.hessian() * x + b; }
  SaddlePointSystem& system() override { return systems.banded; }
  VectorXd minimum(double weight) {
    const MatrixXd &H = systems.dense.hessian(), &A = systems.dense.jacobian();
    return (H + 2 * weight * A.transpose() * A).ldlt().solve(2 * weight * A.transpose() * d - b);
  }
  test::BandedCase systems;
  VectorXd b, d;
};

TEST(LevenbergMarquardt, FindsTheMinimumOfLeastSquares) {
  for (const BandedSaddleShape& shape : {test::banded_shapes()[1], test::banded_shapes()[3]}) {
    BandedLeastSquares problem(shape);
    PenalizedProblem soft(problem, 10);
    VectorXd x = VectorXd::Zero(problem.unknown_count());
    LevenbergMarquardtOptions options;
    options.stationarity_tolerance = 1e-8;
    const UnconstrainedResult result = LevenbergMarquardt(soft, options).solve(x);
    EXPECT_EQ(result.status, UnconstrainedStatus::converged) << result.diagnosis;
    EXPECT_LT((x - problem.minimum(10)).norm(), 1e-7 * x.norm());
    EXPECT_LT(result.iterations.size(), 15u);
    EXPECT_EQ(problem.systems.banded.report(SaddlePointMatrix::model).factorizations, 1);
  }
}

// One step is -(H + lambda W + 2 w A^T A)^-1 (b + 2 w A^T C).
TEST(LevenbergMarquardt, TakesTheStepOfTheDampedNormalEquations) {
  const double weight = 30;
  BandedLeastSquares problem(test::banded_shapes()[1]);
  PenalizedProblem soft(problem, weight);
  const VectorXd start = test::random_vector(problem.unknown_count(), 4);
  VectorXd x = start;
  LevenbergMarquardtOptions options;
  options.initial_damping = 0.1;
  LevenbergMarquardt solver(soft, options);
  LevenbergMarquardtState state = solver.begin();
  const UnconstrainedResult result = solver.advance(x, state, 1);
  ASSERT_EQ(result.iterations[0].step_length, 1);
  const MatrixXd &H = problem.systems.dense.hessian(), &A = problem.systems.dense.jacobian();
  MatrixXd K = H + 2 * weight * A.transpose() * A;
  const double damping = 0.1 * K.diagonal().mean() / state.metric.mean();
  K.diagonal() += damping * state.metric;
  const VectorXd step = -K.ldlt().solve(H * start + problem.b + 2 * weight * A.transpose() * (A * start - problem.d));
  EXPECT_LT((x - start - step).norm(), 1e-11 * step.norm());
  EXPECT_NEAR(result.iterations[0].ratio, 1, 1e-9);  // F is its model
  EXPECT_NEAR(result.iterations[0].step_norm, std::sqrt(step.dot(state.metric.cwiseProduct(step))), 1e-9);
}

// The soft minimum differs from the hard one by c / w, and 2 w C from its multipliers.
TEST(LevenbergMarquardt, ApproachesTheConstrainedMinimumAsTheWeightGrows) {
  for (const char* name : {"HS7", "HS39", "HS79"}) {
    const test::KnownProblem known = test::known_problem(name);
    ComplexStepProblem problem = test::make(known);
    VectorXd hard = known.start;
    TrustRegionSqpOptions accurate;
    accurate.stationarity_tolerance = accurate.constraint_tolerance = 1e-8;
    const TrustRegionSqpResult expected = TrustRegionSqp(problem, accurate).solve(hard);
    ASSERT_LT(expected.constraint_largest, 1e-6) << expected.diagnosis;
    double before = 0;
    for (const double weight : {1e2, 1e3, 1e4}) {
      PenalizedProblem soft(problem, weight);
      VectorXd x = hard, C(known.constraints);
      LevenbergMarquardtOptions options;
      options.stationarity_tolerance = 1e-8;
      const UnconstrainedResult result = LevenbergMarquardt(soft, options).solve(x);
      EXPECT_EQ(result.status, UnconstrainedStatus::converged) << result.diagnosis;
      const double distance = (x - hard).norm();
      if (before > 0) {
        EXPECT_NEAR(distance * 10 / before, 1, 0.1) << name << " " << weight;
      }
      before = distance;
      problem.evaluate(x, C);
      EXPECT_LT((2 * weight * C - expected.multipliers).norm(), 10 / weight * (1 + expected.multipliers.norm())) << name;
    }
  }
}

TEST(LevenbergMarquardt, PartsOfAMinimizationMakeTheWholeBitForBit) {
  HoppingMass problem(12), other(12);
  PenalizedProblem soft(problem, 1e-2), another(other, 1e-2);
  VectorXd whole = problem.start(), parts = whole;
  LevenbergMarquardtOptions options;
  options.initial_damping = 1e-12;  // so that some trials are refused
  const UnconstrainedResult expected = LevenbergMarquardt(soft, options).solve(whole);
  EXPECT_EQ(expected.status, UnconstrainedStatus::converged) << expected.diagnosis;
  LevenbergMarquardtState state = LevenbergMarquardt(another, options).begin();
  UnconstrainedResult result;
  std::size_t count = 0;
  int refused = 0;
  do {
    result = LevenbergMarquardt(another, options).advance(parts, state, 1);
    for (const UnconstrainedIteration& iteration : result.iterations) {
      ASSERT_LT(count, expected.iterations.size());
      const UnconstrainedIteration& wanted = expected.iterations[count++];
      EXPECT_EQ(iteration.iteration, int(count));
      EXPECT_EQ(iteration.value, wanted.value);
      EXPECT_EQ(iteration.objective, wanted.objective);
      EXPECT_EQ(iteration.damping, wanted.damping);
      EXPECT_EQ(iteration.step_norm, wanted.step_norm);
      refused += iteration.evaluations > 0 && iteration.step_length == 0;
    }
  } while (result.status == UnconstrainedStatus::unfinished);
  EXPECT_EQ(result.status, expected.status);
  EXPECT_EQ(count, expected.iterations.size());
  EXPECT_EQ(parts, whole);
  EXPECT_GT(refused, 0);
}

TEST(LevenbergMarquardt, TellsWhyItEnds) {
  const auto run = [](HoppingMass& problem, VectorXd x, int iterations = 500) {
    PenalizedProblem soft(problem, 1e-2);
    LevenbergMarquardtOptions options;
    options.max_iterations = iterations;
    return LevenbergMarquardt(soft, options).solve(x);
  };
  const auto expect = [](const UnconstrainedResult& result, UnconstrainedStatus status, const std::string& part) {
    EXPECT_EQ(result.status, status) << to_string(result.status);
    EXPECT_NE(result.diagnosis.find(part), std::string::npos) << result.diagnosis;
  };
  HoppingMass problem(6);
  expect(run(problem, problem.start(), 2), UnconstrainedStatus::iteration_limit, "after 2 iterations the value is");
  VectorXd outside = problem.start();
  outside[1] = std::numeric_limits<double>::quiet_NaN();
  expect(run(problem, outside), UnconstrainedStatus::outside_the_domain, "(constraint 1)");
  const auto gradient = problem.gradient;
  problem.gradient = [&](const VectorXd& x, VectorXd& b) { gradient(x, b), b *= -1; };
  expect(run(problem, problem.start()), UnconstrainedStatus::stalled, "check the derivatives");
  problem.gradient = [&](const VectorXd& x, VectorXd& b) { gradient(x, b), b[2] = std::nan(""); };
  expect(run(problem, problem.start()), UnconstrainedStatus::not_finite, "a derivative is not finite");
  problem.gradient = gradient;
  const auto hessian = problem.hessian;
  problem.hessian = [&](const VectorXd& x, const VectorXd& y, MatrixXd& H) { hessian(x, y, H), H(1, 1) = std::nan(""); };
  expect(run(problem, problem.start()), UnconstrainedStatus::singular, "no accurate solution");
  // Where the value is zero, no change of it is a rounding.
  test::DenseConstrainedProblem zero(1, 0);
  zero.objective = [](const VectorXd& x) { return x[0] * x[0]; };
  zero.gradient = [](const VectorXd&, VectorXd& b) { b[0] = 1; };
  zero.hessian = [](const VectorXd&, const VectorXd&, MatrixXd& H) { H(0, 0) = 2; };
  PenalizedProblem soft(zero, 1);
  VectorXd x = VectorXd::Zero(1);
  const UnconstrainedResult result = LevenbergMarquardt(soft, {}).solve(x);
  expect(result, UnconstrainedStatus::stalled, "there are no constraints");
}

TEST(LevenbergMarquardt, IterationsAllocateNothing) {
  ASSERT_EQ(test::an_allocation_counts(), test::counts_allocations);
  const auto allocations = [](int iterations) {
    HoppingMass problem(12);
    PenalizedProblem soft(problem, 1e-2);
    LevenbergMarquardt solver(soft, {});
    VectorXd x = problem.start();
    LevenbergMarquardtState state = solver.begin();
    solver.advance(x, state, 2);
    const long before = test::allocation_count;
    EXPECT_EQ(int(solver.advance(x, state, iterations).iterations.size()), iterations);
    return test::allocation_count - before;
  };
  EXPECT_EQ(allocations(1), allocations(5));
}

TEST(LevenbergMarquardtBadInput, IsNamed) {
  HoppingMass problem(3);
  test::expect_part(test::message([&] { PenalizedProblem soft(problem, 0); }), "the weight 0; it must be positive");
  PenalizedProblem soft(problem, 1);
  test::expect_part(test::message([&] { LevenbergMarquardt solver(soft, {.initial_damping = 0}); }), "initial_damping 0");
  test::expect_part(test::message([&] {
                      VectorXd x(5);
                      LevenbergMarquardt(soft, {}).solve(x);
                    }),
                    "the point has 5 entries, the state's metric 0; the problem needs 6");
}

}  // namespace levenberg_marquardt_tests
}  // namespace holo
