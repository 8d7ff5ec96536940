#include <gtest/gtest.h>

#include <functional>

#include "holo/core/error.h"
#include "small_problem.h"

namespace holo {
namespace {

using test::SmallProblem;

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' lacks '" << part << "'";
}

TEST(StagedSqpBadInput, SizesThatDoNotFitAreNamed) {
  auto refused = [](const std::function<void(StagedLayout&)>& spoil) {
    SmallProblem problem = test::pendulum(5);
    spoil(problem.mutable_layout());
    return message_of([&] { StagedSqp(problem, {}); });
  };
  expect_contains(refused([](StagedLayout& layout) { layout.stage_count = 1; }), "1 knots");
  expect_contains(refused([](StagedLayout& layout) { layout.time_step = 0; }), "time step is 0");
  expect_contains(refused([](StagedLayout& layout) { layout.control_count = 0; }), "0 controls");
  expect_contains(refused([](StagedLayout& layout) { layout.control_quaternions = {0}; }),
                  "a quaternion of its controls begins at 0");
  expect_contains(refused([](StagedLayout& layout) { layout.states_jacobian.resize(3, 2); }), "states' Jacobian is 3 x 2");
  expect_contains(refused([](StagedLayout& layout) { layout.hessian = layout.hessian.transpose().eval(); }),
                  "below the diagonal");
}

TEST(StagedSqpBadInput, APointOfOtherSizesIsRefused) {
  SmallProblem problem = test::pendulum(5);
  StagedSqp sqp(problem, {});
  StagedPoint point = zero_point(problem.layout());
  point.rates.resize(1, 5);
  expect_contains(message_of([&] { sqp.solve(point); }), "rates are 1 x 5; they must be 1 x 4");
}

TEST(StagedSqpBadInput, ASingularStatesJacobianTellsTheStage) {
  SmallProblem problem = test::pendulum(11);
  StagedPoint point = problem.start(1, 0.1, 0);
  point.states.row(1).setConstant(-1);
  point.states(1, 9) = 0;  // both states zero: the first row is flat
  const StagedSqpResult result = StagedSqp(problem, {}).solve(point);
  EXPECT_EQ(result.status, StagedSqpStatus::singular);
  EXPECT_EQ(result.stage, 9);
  expect_contains(result.diagnosis, "at knot 9");
}

TEST(StagedSqpBadInput, ANumberThatIsNotFiniteTellsTheStage) {
  SmallProblem problem = test::linear_problem(11);
  const auto gradient = problem.gradient;
  problem.gradient = [=](int k, const Eigen::VectorXd& x) {
    Eigen::VectorXd g = gradient(k, x);
    if (k == 8) g[1] = std::numeric_limits<double>::quiet_NaN();
    return g;
  };
  StagedPoint point = problem.start(0, 0, 0);
  const StagedSqpResult result = StagedSqp(problem, {}).solve(point);
  EXPECT_EQ(result.status, StagedSqpStatus::not_finite);
  EXPECT_EQ(result.stage, 8);
}

TEST(StagedSqpBadInput, AStartOutsideTheDomainIsToldAndLeftAlone) {
  SmallProblem problem = test::linear_problem(4);
  problem.objective = [](int, const Eigen::VectorXd&) { return std::numeric_limits<double>::infinity(); };
  StagedPoint point = problem.start(0.5, 0, 0);
  const StagedSqpResult result = StagedSqp(problem, {}).solve(point);
  EXPECT_EQ(result.status, StagedSqpStatus::infeasible_start);
  EXPECT_EQ(point.parameters[0], 0.5);
  EXPECT_FALSE(result.diagnosis.empty());
}

TEST(StagedSqpBadInput, AProblemWithoutAMinimumIsReported) {
  SmallProblem problem = test::linear_problem(4);
  problem.objective = [](int, const Eigen::VectorXd& x) { return x[3]; };
  problem.gradient = [](int, const Eigen::VectorXd&) { return Eigen::Vector4d(0, 0, 0, 1); };
  problem.hessian = [](int, const Eigen::VectorXd&) { return Eigen::MatrixXd::Zero(4, 4); };
  StagedPoint point = problem.start(0, 0, 0);
  StagedSqpOptions options;
  options.max_iterations = 10;
  const StagedSqpResult result = StagedSqp(problem, options).solve(point);
  EXPECT_EQ(result.status, StagedSqpStatus::iteration_limit);
  expect_contains(result.diagnosis, "after 10 iterations");
}

}  // namespace
}  // namespace holo
