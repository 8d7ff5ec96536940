#include "holo/opt/staged/staged_sqp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "allocation_counter.h"
#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "small_problem.h"

namespace holo {
namespace {

using test::SmallProblem;

StagedSqpResult solve(SmallProblem& problem, StagedPoint& point, const StagedSqpOptions& options = {}) {
  return StagedSqp(problem, options).solve(point);
}

TEST(StagedSqp, ALinearQuadraticProblemTakesOneStep) {
  for (StagedStepKind kind : {StagedStepKind::arrow, StagedStepKind::dense_riccati, StagedStepKind::sparse_lu}) {
    SmallProblem problem = test::linear_problem(11);
    StagedPoint point = problem.start(0.3, -0.2, 2);
    point.rates.setConstant(0.7);
    StagedSqpOptions options;
    options.step = kind;
    const StagedSqpResult result = solve(problem, point, options);
    ASSERT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
    ASSERT_EQ(result.iterations.size(), 2u) << to_string(kind);  // the second one sees that the first was enough
    EXPECT_EQ(result.iterations[0].step_length, 1);
    EXPECT_EQ(result.iterations[1].step_length, 0);
    EXPECT_LT(result.constraint_largest, 1e-13);
    // Stationarity in p, by the closed form: the sum over knots of (s - target) + c p vanishes.
    double sum = 0;
    for (int k = 0; k < 11; ++k) sum += point.states(0, k) - std::sin(0.3 * k) + 0.2 * point.parameters[0];
    EXPECT_NEAR(sum, 0, 1e-12);
    // And in the multipliers: that of s - u - p = 0 is -(s - target).
    for (int k = 0; k < 11; ++k) EXPECT_NEAR(result.multipliers.states(0, k), std::sin(0.3 * k) - point.states(0, k), 1e-12);
  }
}

// s = u + p, so that a weight on the rate of s is a weight on that of u.
TEST(StagedSqp, TheRateOfAStateIsWhatItFollowsFrom) {
  constexpr double weight = 0.3;
  SmallProblem by_control = test::linear_problem(11), by_state = test::linear_problem(11);
  const auto objective = by_control.objective;
  const auto gradient = by_control.gradient;
  const auto hessian = by_control.hessian;
  by_control.objective = [=](int k, const Eigen::VectorXd& x) { return objective(k, x) + 0.5 * weight * x[2] * x[2]; };
  by_control.gradient = [=](int k, const Eigen::VectorXd& x) {
    return Eigen::VectorXd(gradient(k, x) + weight * x[2] * Eigen::Vector4d::Unit(2));
  };
  by_control.hessian = [=](int k, const Eigen::VectorXd& x) {
    Eigen::MatrixXd h = hessian(k, x);
    h(2, 2) += weight;
    return h;
  };
  by_state.mutable_layout().rated_states = {0};
  by_state.rate_weight = weight;
  StagedPoint first = by_control.start(0.3, -0.2, 2), second = first;
  const StagedSqpResult a = solve(by_control, first), b = solve(by_state, second);
  ASSERT_EQ(a.status, StagedSqpStatus::converged);
  ASSERT_EQ(b.status, StagedSqpStatus::converged) << b.diagnosis;
  EXPECT_EQ(b.iterations.size(), 2u);
  EXPECT_NEAR(a.objective, b.objective, 1e-13);
  EXPECT_LT((first.controls - second.controls).norm(), 1e-12);
  EXPECT_NEAR(first.parameters[0], second.parameters[0], 1e-12);
}

void expect_pendulum(const StagedPoint& point, double tolerance) {
  EXPECT_NEAR(std::abs(point.parameters[0]), 2, tolerance);
  for (int k = 0; k < point.states.cols(); ++k) {
    EXPECT_NEAR(point.states(0, k), 2 * std::sin(0.2 + 0.1 * k), tolerance) << k;
    EXPECT_NEAR(point.states(1, k), -2 * std::cos(0.2 + 0.1 * k), tolerance) << k;
  }
}

StagedPoint pendulum_start(const SmallProblem& problem) {
  StagedPoint point = problem.start(1, 0.1, 0);
  point.states.row(0).setConstant(std::sin(0.1));
  point.states.row(1).setConstant(-std::cos(0.1));
  return point;
}

TEST(StagedSqp, APendulumFindsItsLengthAndAngles) {
  for (bool retract : {true, false}) {
    SmallProblem problem = test::pendulum(9);
    StagedPoint point = pendulum_start(problem);
    StagedSqpOptions options;
    options.retract = retract;
    options.estimate_singular_values = true;
    const StagedSqpResult result = solve(problem, point, options);
    ASSERT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
    EXPECT_LE(result.iterations.size(), retract ? 10u : 25u);
    expect_pendulum(point, 1e-7);
    EXPECT_LT(result.constraint_largest, 1e-9);
    EXPECT_GT(result.iterations[0].smallest_singular_value, 0.1);
    // Controls and rates belong together.
    for (int k = 0; k + 1 < 9; ++k)
      EXPECT_NEAR(point.rates(0, k), (point.controls(0, k + 1) - point.controls(0, k)) / 0.1, 1e-8);
  }
}

// One solver makes the same bits in parts; new solvers may choose other pivots.
TEST(StagedSqp, PartsOfAnOptimizationMakeTheWhole) {
  SmallProblem problem = test::pendulum(9);
  const StagedPoint start = pendulum_start(problem);
  StagedPoint whole = start;
  const StagedSqpResult expected = solve(problem, whole);
  ASSERT_GT(expected.iterations.size(), 3u);
  StagedPoint parts = start, others = start;
  StagedSqp solver(problem, {});
  StagedSqpState state = solver.begin(start), other = state;
  StagedSqpResult result;
  std::size_t count = 0;
  do {
    result = solver.advance(parts, state, 2);
    EXPECT_EQ(StagedSqp(problem, {}).advance(others, other, 2).status, result.status);
    for (const StagedSqpIteration& iteration : result.iterations) {
      EXPECT_EQ(iteration.iteration, int(count) + 1);
      EXPECT_EQ(iteration.objective, expected.iterations.at(count).objective);
      EXPECT_EQ(iteration.penalty, expected.iterations.at(count).penalty);
      ++count;
    }
    ASSERT_LE(count, expected.iterations.size());
  } while (result.status == StagedSqpStatus::unfinished);
  EXPECT_EQ(result.status, StagedSqpStatus::converged);
  EXPECT_EQ(count, expected.iterations.size());
  EXPECT_EQ(parts.parameters, whole.parameters);
  EXPECT_EQ(parts.controls, whole.controls);
  EXPECT_EQ(parts.rates, whole.rates);
  EXPECT_EQ(parts.states, whole.states);
  EXPECT_EQ(result.multipliers.states, expected.multipliers.states);
  EXPECT_EQ(other.iteration, state.iteration);
  EXPECT_LT((others.states - whole.states).norm(), 1e-10);
}

TEST(StagedSqp, AScheduledRegularizerLeavesNoBias) {
  auto length_with = [](RegularizerSchedule schedule) {
    double center = 1;
    SmallProblem problem = test::pendulum(9);
    const auto objective = problem.objective;
    const auto gradient = problem.gradient;
    const auto hessian = problem.hessian;
    constexpr double w = 3;
    problem.objective = [&](int k, const Eigen::VectorXd& z) { return objective(k, z) + 0.5 * w * std::pow(z[0] - center, 2); };
    problem.gradient = [&](int k, const Eigen::VectorXd& z) {
      Eigen::VectorXd g = gradient(k, z);
      g[0] += w * (z[0] - center);
      return g;
    };
    problem.hessian = [&](int k, const Eigen::VectorXd& z) {
      Eigen::MatrixXd h = hessian(k, z);
      h(0, 0) += w;
      return h;
    };
    problem.center = [&](const StagedPoint& point) {
      center = point.parameters[0];
      return true;
    };
    StagedPoint point = pendulum_start(problem);
    StagedSqpOptions options;
    options.schedule = schedule;
    const StagedSqpResult result = solve(problem, point, options);
    EXPECT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
    return point.parameters[0];
  };
  const double off = std::abs(length_with(RegularizerSchedule::off) - 2);
  const double pow2 = std::abs(length_with(RegularizerSchedule::pow2) - 2);
  const double every = std::abs(length_with(RegularizerSchedule::every) - 2);
  EXPECT_GT(off, 0.5);
  EXPECT_LT(pow2, 0.3 * off);
  EXPECT_LT(every, 0.3 * off);
}

// s = u, f = 1/4 u^4 - 1/2 s^2 + a little of v: u = 0 is a maximum, u = +-1 are minima.
SmallProblem double_well() {
  SmallProblem problem(5, 0.5, 0, 1, 1);
  problem.objective = [](int, const Eigen::VectorXd& x) {
    return 0.25 * std::pow(x[0], 4) - 0.5 * x[2] * x[2] + 0.5e-3 * x[1] * x[1];
  };
  problem.gradient = [](int, const Eigen::VectorXd& x) { return Eigen::Vector3d(std::pow(x[0], 3), 1e-3 * x[1], -x[2]); };
  problem.hessian = [](int, const Eigen::VectorXd& x) {
    return Eigen::MatrixXd(Eigen::Vector3d(3 * x[0] * x[0], 1e-3, -1).asDiagonal());
  };
  problem.constraint = [](const Eigen::VectorXd& x) { return Eigen::VectorXd::Constant(1, x[2] - x[0]); };
  problem.jacobian = [](const Eigen::VectorXd&) { return Eigen::MatrixXd(Eigen::RowVector3d(-1, 0, 1)); };
  problem.constraint_hessian = [](const Eigen::VectorXd&, int) { return Eigen::MatrixXd::Zero(3, 3); };
  return problem;
}

TEST(StagedSqp, AnIndefiniteStartIsShiftedAndLeft) {
  SmallProblem problem = double_well();
  StagedPoint point = problem.start(0, 0.05, 0.05);
  const StagedSqpResult result = solve(problem, point);
  ASSERT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
  EXPECT_GT(result.iterations[0].shift, 0);
  EXPECT_GT(result.iterations[0].factorizations, 1);
  EXPECT_EQ(result.iterations.back().shift, 0);
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(point.controls(0, k), 1, 1e-6);
}

TEST(StagedSqp, ABarrierIsNeverCrossed) {
  SmallProblem problem = test::linear_problem(11);
  constexpr double limit = 0.4, weight = 1e-3;  // u < limit, by -weight log(limit - u)
  const auto objective = problem.objective;
  const auto gradient = problem.gradient;
  const auto hessian = problem.hessian;
  double nearest = 1;
  problem.objective = [&](int k, const Eigen::VectorXd& x) {
    if (std::isfinite(x[1])) nearest = std::min(nearest, limit - x[1]);
    return x[1] < limit ? objective(k, x) - weight * std::log(limit - x[1]) : std::numeric_limits<double>::infinity();
  };
  problem.gradient = [&](int k, const Eigen::VectorXd& x) {
    Eigen::VectorXd g = gradient(k, x);
    g[1] += weight / (limit - x[1]);
    return g;
  };
  problem.hessian = [&](int k, const Eigen::VectorXd& x) {
    Eigen::MatrixXd h = hessian(k, x);
    h(1, 1) += weight / std::pow(limit - x[1], 2);
    return h;
  };
  problem.limit = [&](const StagedPoint& point, const StagedPoint& step) {
    double length = 1;
    for (int k = 0; k < 11; ++k)
      if (step.controls(0, k) > 0) length = std::min(length, 0.99 * (limit - point.controls(0, k)) / step.controls(0, k));
    return length;
  };
  StagedPoint point = problem.start(0, -2, -2);
  const ThreadLimit one(1);
  const StagedSqpResult result = solve(problem, point);
  ASSERT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
  EXPECT_GT(nearest, 0) << "not even at a trial point";
  EXPECT_GT(point.controls.maxCoeff(), 0.5 * limit) << "the limit matters";
}

TEST(StagedSqp, AStepToAnotherBranchIsNotTaken) {
  SmallProblem problem = double_well();
  problem.branch = [](const StagedPoint& point) { return point.controls.maxCoeff() < 0.5; };
  StagedPoint point = problem.start(0, 0.05, 0.05);
  const StagedSqpResult result = solve(problem, point);
  EXPECT_EQ(result.status, StagedSqpStatus::line_search_failed);
  EXPECT_LT(point.controls.maxCoeff(), 0.5);
  EXPECT_FALSE(result.diagnosis.empty());
}

// A quaternion control that is to follow a turn about z: s = the turned x axis' first two components.
TEST(StagedSqp, QuaternionsStayUnit) {
  SmallProblem problem(7, 0.1, 0, 4, 2, {}, {0});
  auto target = [](int k) { return Eigen::Vector2d(std::cos(0.3 * k), std::sin(0.3 * k)); };
  problem.objective = [=](int k, const Eigen::VectorXd& z) {
    return 0.5 * (z.tail<2>() - target(k)).squaredNorm() + 0.5e-3 * z.head(8).tail(4).squaredNorm() +
           0.5e-6 * z.head(4).squaredNorm();
  };
  problem.gradient = [=](int k, const Eigen::VectorXd& z) {
    Eigen::VectorXd g(10);
    g << 1e-6 * z.head(4), 1e-3 * z.segment(4, 4), z.tail<2>() - target(k);
    return g;
  };
  problem.hessian = [](int, const Eigen::VectorXd&) {
    Eigen::VectorXd d(10);
    d << Eigen::VectorXd::Constant(4, 1e-6), Eigen::VectorXd::Constant(4, 1e-3), 1, 1;
    return Eigen::MatrixXd(d.asDiagonal());
  };
  problem.constraint = [](const Eigen::VectorXd& z) {
    return Eigen::VectorXd(Eigen::Vector2d(z[8] - (z[0] * z[0] + z[1] * z[1] - z[2] * z[2] - z[3] * z[3]),
                                           z[9] - 2 * (z[1] * z[2] + z[0] * z[3])));
  };
  problem.jacobian = [](const Eigen::VectorXd& z) {
    Eigen::MatrixXd j = Eigen::MatrixXd::Zero(2, 10);
    j.row(0) << -2 * z[0], -2 * z[1], 2 * z[2], 2 * z[3], 0, 0, 0, 0, 1, 0;
    j.row(1) << -2 * z[3], -2 * z[2], -2 * z[1], -2 * z[0], 0, 0, 0, 0, 0, 1;
    return j;
  };
  problem.constraint_hessian = [](const Eigen::VectorXd&, int row) {
    Eigen::MatrixXd h = Eigen::MatrixXd::Zero(10, 10);
    if (row == 0)
      h.diagonal() << -2, -2, 2, 2, 0, 0, 0, 0, 0, 0;
    else
      h(0, 3) = h(3, 0) = h(1, 2) = h(2, 1) = -2;
    return h;
  };
  StagedPoint point = problem.start(0, 0, 0);
  point.controls.row(0).setConstant(1.3);  // not unit
  const StagedSqpResult result = solve(problem, point);
  ASSERT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
  for (int k = 0; k < 7; ++k) {
    EXPECT_NEAR(point.controls.col(k).norm(), 1, 1e-9);
    EXPECT_NEAR(point.states(0, k), std::cos(0.3 * k), 0.05);
    EXPECT_NEAR(point.states(1, k), std::sin(0.3 * k), 0.05);
  }
}

TEST(StagedSqp, ThreadsChangeNoBit) {
  auto run = [](int threads) {
    const ThreadLimit limit(threads);
    SmallProblem problem = test::pendulum(40);
    StagedPoint point = pendulum_start(problem);
    EXPECT_EQ(solve(problem, point).status, StagedSqpStatus::converged);
    return point;
  };
  const StagedPoint one = run(1), many = run(0);
  EXPECT_EQ(one.states, many.states);
  EXPECT_EQ(one.controls, many.controls);
  EXPECT_EQ(one.parameters, many.parameters);
}

// The problem's own functions allocate here, as many times in each iteration: a problem without them tells the solver's share.
struct FixedProblem final : OptimalControlProblem {
  SmallProblem inner = test::pendulum(20);
  mutable long own = 0;

  const StagedLayout& layout() const override { return inner.layout(); }
  void evaluate(const StagedPoint& point, int first, int last, double* objectives,
                Eigen::Ref<Eigen::MatrixXd> residual) const override {
    const long before = test::allocation_count;
    inner.evaluate(point, first, last, objectives, residual);
    own += test::allocation_count - before;
  }
  void differentiate(const StagedPoint& point, const Eigen::MatrixXd& multipliers, bool gauss_newton, int block,
                     StageDerivatives& to) const override {
    const long before = test::allocation_count;
    inner.differentiate(point, multipliers, gauss_newton, block, to);
    own += test::allocation_count - before;
  }
};

TEST(StagedSqp, AnIterationAfterTheFirstAllocatesNothing) {
  if (!test::counts_allocations) GTEST_SKIP() << "the sanitizers bring their own allocator";
  const ThreadLimit limit(1);
  FixedProblem problem;
  StagedSqpOptions options;
  options.tolerance = 1e-300;  // never there: the last iterations are spent at rest
  options.schedule = RegularizerSchedule::off;
  auto allocations = [&](int iterations) {
    options.max_iterations = iterations;
    StagedSqp sqp(problem, options);
    StagedPoint point = pendulum_start(problem.inner);
    const long before = test::allocation_count, own = problem.own;
    const StagedSqpResult result = sqp.solve(point);
    EXPECT_EQ(result.iterations.size(), std::size_t(iterations));
    return test::allocation_count - before - (problem.own - own);
  };
  allocations(1);
  const long one = allocations(1), four = allocations(4);
  EXPECT_GT(one, 0);
  EXPECT_EQ(four, one);
}

}  // namespace
}  // namespace holo
