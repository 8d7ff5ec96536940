// L-BFGS for many unknowns: minima, the conditions of its line search, its ends, its memory and its errors.
#include "holo/opt/trajectory/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "allocation_count.h"
#include "dense/lbfgs_direction.h"
#include "error_message.h"
#include "hock_schittkowski.h"
#include "holo/core/error.h"
#include "holo/opt/trajectory/levenberg_marquardt.h"
#include "hopping_mass.h"
#include "trajectory/strong_wolfe_search.h"
#include "unconstrained_functions.h"

namespace holo {
namespace lbfgs_tests {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd rosenbrock_start(int unknowns) {
  return VectorXd::NullaryExpr(unknowns, [](Eigen::Index i) { return i % 2 == 0 ? -1.2 : 1.0; });
}

TEST(Lbfgs, FindsTheMinimumOfTheChainedRosenbrockFunction) {
  test::FunctionOfParts function = test::rosenbrock(50);
  VectorXd x = VectorXd::Constant(50, 0.9);
  const UnconstrainedResult result = Lbfgs(function, {.stationarity_tolerance = 1e-8}).solve(x);
  EXPECT_EQ(result.status, UnconstrainedStatus::converged) << result.diagnosis;
  EXPECT_LT((x - VectorXd::Ones(50)).norm(), 1e-7);
  EXPECT_LT(result.value, 1e-14);
  EXPECT_LT(result.iterations.size(), 300u);
}

// With as many pairs as unknowns and nearly exact line searches, a quadratic function takes as many steps as unknowns.
TEST(Lbfgs, EndsOnQuadraticFunctionsLikeConjugateGradients) {
  const int n = 8;
  const VectorXd diagonal = VectorXd::LinSpaced(n, 1, 50), minimum = VectorXd::LinSpaced(n, -1, 1);
  test::FunctionOfParts function(n);
  function.function = [&](const VectorXd& x) { return (x - minimum).dot(diagonal.asDiagonal() * (x - minimum)) / 2; };
  function.derivative = [&](const VectorXd& x, VectorXd& g) { g = diagonal.asDiagonal() * (x - minimum); };
  VectorXd x = VectorXd::Zero(n);
  const UnconstrainedResult result =
      Lbfgs(function, {.history = n, .stationarity_tolerance = 1e-7, .curvature = 2e-4, .max_evaluations = 200}).solve(x);
  EXPECT_EQ(result.status, UnconstrainedStatus::converged) << result.diagnosis;
  EXPECT_LT((x - minimum).norm(), 1e-7);
  EXPECT_LE(result.iterations.size(), std::size_t(n) + 3);
}

// Independent of its gradients, every taken step satisfies both conditions, by the values and slopes at its ends.
TEST(Lbfgs, TakesStepsOfTheStrongWolfeConditions) {
  test::FunctionOfParts function = test::rosenbrock(10);
  VectorXd x = rosenbrock_start(10), g(10), h(10);
  Lbfgs solver(function, {.sufficient_decrease = 0.3, .curvature = 0.4});
  LbfgsState state = solver.begin();
  for (int i = 0; i < 40; ++i) {
    const VectorXd before = x;
    const UnconstrainedResult result = solver.advance(x, state, 1);
    if (result.status != UnconstrainedStatus::unfinished) break;
    const VectorXd step = x - before;
    function.derivative(before, g);
    function.derivative(x, h);
    EXPECT_LT(g.dot(step), 0);
    EXPECT_LE(function.function(x), function.function(before) + 0.3 * g.dot(step));
    EXPECT_LE(std::abs(h.dot(step)), -0.4 * g.dot(step) * (1 + 1e-9));
    EXPECT_NEAR(result.iterations[0].step_norm, step.norm(), 1e-12);
  }
  EXPECT_GT(state.iteration, 20);
}

// A line whose minimum is far from the first trial, on both sides of it, and with an end of the domain.
struct Line final : LineFunction {
  double minimum = 1, end = std::numeric_limits<double>::infinity(), at = 0;
  double value(double length) override {
    at = length;
    return length < end ? (length - minimum) * (length - minimum) / (1 + length) : std::numeric_limits<double>::quiet_NaN();
  }
  double slope() override {
    const double u = at - minimum;
    return (2 * u * (1 + at) - u * u) / ((1 + at) * (1 + at));
  }
};

TEST(StrongWolfeSearch, FindsStepsFarFromTheFirstTrial) {
  for (const double minimum : {1e-6, 1e-2, 1.0, 3e3})
    for (const double end : {std::numeric_limits<double>::infinity(), 2 * minimum}) {
      Line line;
      line.minimum = minimum;
      line.end = end;
      const double value = line.value(0), slope = line.slope();
      const WolfeStep step = find_wolfe_step(line, value, slope, 1, {.curvature = 0.1});
      ASSERT_TRUE(step.is_found) << minimum;
      EXPECT_EQ(line.at, step.length);  // the last trial is the result
      EXPECT_LE(step.value, value + 1e-4 * step.length * slope);
      EXPECT_LE(std::abs(line.slope()), -0.1 * slope);
      EXPECT_LE(step.evaluations, 25);
    }
}

// The directions in all unknowns are those in a list of all, and a stored history gives the same bits.
TEST(LbfgsDirection, IsTheSameInAllUnknownsAndFromAStoredHistory) {
  const int n = 6;
  LbfgsDirection first, second;
  first.resize(n, 3), second.resize(n, 3);
  const VectorXd diagonal = VectorXd::LinSpaced(n, 1, 5);
  std::vector<int> all(n);
  for (int i = 0; i < n; ++i) all[std::size_t(i)] = i;
  VectorXd g = VectorXd::LinSpaced(n, -1, 2), d(n), e(n);
  for (int k = 0; k < 5; ++k) {
    const VectorXd step = VectorXd::NullaryExpr(n, [k](Eigen::Index i) { return std::sin(1.0 + i + 7.0 * k); });
    first.add(step, diagonal.asDiagonal() * step);
  }
  first.find(g, d);
  first.find(all, g, e);
  EXPECT_GT((d + g).norm(), 0.1);
  EXPECT_LT((d - e).norm(), 1e-13 * d.norm());
  MatrixXd steps, changes;
  first.store(steps, changes);
  EXPECT_EQ(steps.cols(), 3);
  second.load(steps, changes);
  second.find(g, e);
  EXPECT_EQ(d, e);
}

TEST(Lbfgs, FindsThePenalizedMinimumOfLevenbergMarquardt) {
  for (const char* name : {"HS7", "HS27", "HS79"}) {
    const test::KnownProblem known = test::known_problem(name);
    test::ComplexStepProblem problem = test::make(known);
    PenalizedProblem soft(problem, 5);
    VectorXd x = known.start, y = known.start;
    LevenbergMarquardtOptions options;
    options.stationarity_tolerance = 1e-7;
    const UnconstrainedResult first = LevenbergMarquardt(soft, options).solve(x);
    const UnconstrainedResult second = Lbfgs(soft, {.stationarity_tolerance = 1e-7}).solve(y);
    EXPECT_EQ(first.status, UnconstrainedStatus::converged) << name << first.diagnosis;
    EXPECT_EQ(second.status, UnconstrainedStatus::converged) << name << second.diagnosis;
    EXPECT_NEAR(first.value, second.value, 1e-10 * (1 + std::abs(first.value))) << name;
    EXPECT_NEAR(first.objective, second.objective, 1e-6);
  }
}

TEST(Lbfgs, PartsOfAMinimizationMakeTheWholeBitForBit) {
  test::FunctionOfParts function = test::rosenbrock(12);
  VectorXd whole = rosenbrock_start(12), parts = whole;
  const LbfgsOptions options{.history = 4};
  const UnconstrainedResult expected = Lbfgs(function, options).solve(whole);
  EXPECT_EQ(expected.status, UnconstrainedStatus::converged) << expected.diagnosis;
  LbfgsState state = Lbfgs(function, options).begin();
  UnconstrainedResult result;
  std::size_t count = 0;
  do {
    result = Lbfgs(function, options).advance(parts, state, 3);
    for (const UnconstrainedIteration& iteration : result.iterations) {
      ASSERT_LT(count, expected.iterations.size());
      const UnconstrainedIteration& wanted = expected.iterations[count++];
      EXPECT_EQ(iteration.iteration, int(count));
      EXPECT_EQ(iteration.value, wanted.value);
      EXPECT_EQ(iteration.step_norm, wanted.step_norm);
      EXPECT_EQ(iteration.evaluations, wanted.evaluations);
    }
  } while (result.status == UnconstrainedStatus::unfinished);
  EXPECT_EQ(count, expected.iterations.size());
  EXPECT_EQ(parts, whole);
}

TEST(Lbfgs, StaysInTheDomainOfALogarithm) {
  test::FunctionOfParts function(2);
  function.function = [](const VectorXd& x) { return x.sum() - 1e-2 * x.array().log().sum(); };
  function.derivative = [](const VectorXd& x, VectorXd& g) { g = 1 - 1e-2 / x.array(); };
  VectorXd x = VectorXd::Constant(2, 0.9);
  x[1] = 3;
  const UnconstrainedResult result = Lbfgs(function, {}).solve(x);
  EXPECT_EQ(result.status, UnconstrainedStatus::converged) << result.diagnosis;
  EXPECT_LT((x - VectorXd::Constant(2, 1e-2)).norm(), 1e-6);
}

TEST(Lbfgs, TellsWhyItEnds) {
  const auto expect = [](test::FunctionOfParts& function, int iterations, UnconstrainedStatus status, const std::string& part) {
    VectorXd x = rosenbrock_start(6);
    const UnconstrainedResult result = Lbfgs(function, {.max_iterations = iterations}).solve(x);
    EXPECT_EQ(result.status, status) << to_string(result.status);
    EXPECT_NE(result.diagnosis.find(part), std::string::npos) << result.diagnosis;
    const double start = function.function(rosenbrock_start(6));
    EXPECT_LE(function.function(x), start * (1 + 1e-12));  // but for its rounding
  };
  test::FunctionOfParts function = test::rosenbrock(6);
  const auto derivative = function.derivative;
  expect(function, 3, UnconstrainedStatus::iteration_limit, "after 3 iterations the value is");
  function.derivative = [&](const VectorXd& x, VectorXd& g) { derivative(x, g), g *= -1; };
  expect(function, 1000, UnconstrainedStatus::stalled, "check the derivatives");
  function.derivative = [&](const VectorXd& x, VectorXd& g) {
    derivative(x, g);
    if (function.gradients > 4) g[2] = std::nan("");
  };
  function.gradients = 0;
  expect(function, 1000, UnconstrainedStatus::not_finite, "a derivative is not finite");
  {
    test::HoppingMass problem(6);
    PenalizedProblem soft(problem, 1);
    VectorXd x = problem.start();
    x[1] = std::nan("");
    const UnconstrainedResult result = Lbfgs(soft, {}).solve(x);
    EXPECT_EQ(result.status, UnconstrainedStatus::outside_the_domain);
    EXPECT_NE(result.diagnosis.find("(constraint 1)"), std::string::npos) << result.diagnosis;
  }
}

TEST(Lbfgs, IterationsAllocateNothing) {
  ASSERT_EQ(test::an_allocation_counts(), test::counts_allocations);
  const auto allocations = [](int iterations) {
    test::FunctionOfParts function = test::rosenbrock(12);
    Lbfgs solver(function, {});
    VectorXd x = rosenbrock_start(12);
    LbfgsState state = solver.begin();
    solver.advance(x, state, 22);  // the history is full
    const long before = test::allocation_count;
    EXPECT_EQ(int(solver.advance(x, state, iterations).iterations.size()), iterations);
    return test::allocation_count - before;
  };
  EXPECT_EQ(allocations(1), allocations(6));
}

TEST(LbfgsBadInput, IsNamed) {
  test::FunctionOfParts function = test::rosenbrock(4);
  test::expect_part(test::message([&] { Lbfgs solver(function, {.history = 0}); }), "history 0");
  test::expect_part(test::message([&] { Lbfgs solver(function, {.curvature = 1e-5}); }), "curvature 1e-05");
  test::expect_part(test::message([&] {
                      VectorXd x(5);
                      Lbfgs(function, {}).solve(x);
                    }),
                    "the point has 5 entries");
  test::expect_part(test::message([&] {
                      VectorXd x(4);
                      LbfgsState state;
                      state.steps.setZero(3, 2);
                      Lbfgs(function, {}).advance(x, state, 1);
                    }),
                    "the state 3 x 2 steps and 0 x 0 changes");
}

}  // namespace lbfgs_tests
}  // namespace holo
