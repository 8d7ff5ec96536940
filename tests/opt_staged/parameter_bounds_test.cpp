// Bounds of the parameters: docs/robot-design-derivations.md#bounds-of-design-parameters.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "holo/core/error.h"
#include "holo/opt/staged/staged_sqp.h"
#include "random_problem.h"
#include "small_problem.h"

namespace holo {
namespace parameter_bounds {

using test::RandomProblem;
using test::RandomSizes;
using test::SmallProblem;

constexpr double infinity = std::numeric_limits<double>::infinity();

void set_bounds(StagedLayout& layout, double lower, double upper) {
  layout.parameter_lower.setConstant(layout.parameter_count, lower);
  layout.parameter_upper.setConstant(layout.parameter_count, upper);
}

// The model of a problem under bounds, and the same model in which some parameters are fixed by rows at given values.
struct BoundedModel {
  RandomProblem problem;
  StagedLayout layout;
  StagedQuadratic quadratic;

  BoundedModel(const RandomSizes& sizes, unsigned seed) : problem(sizes, seed), layout(problem.layout()) {
    quadratic = problem.quadratic();
    quadratic.layout = &layout;
  }

  // sparse_lu solves all conditions at once and knows rows only.
  StagedDirection with_fixed(const std::vector<int>& parameters, const std::vector<double>& values) const {
    StagedLayout wider = problem.layout();
    const int count = int(parameters.size()), rows = int(quadratic.constraints.parameter_constraints.size());
    wider.parameter_constraint_count += count;
    StagedQuadratic fixed = quadratic;
    fixed.layout = &wider;
    fixed.constraints.parameter_constraints.conservativeResize(rows + count);
    fixed.parameter_rows_jacobian.conservativeResize(rows + count, wider.parameter_count);
    for (int i = 0; i < count; ++i) {
      const int p = parameters[std::size_t(i)];
      fixed.parameter_rows_jacobian.row(rows + i) = Eigen::RowVectorXd::Unit(wider.parameter_count, p);
      fixed.constraints.parameter_constraints[rows + i] = quadratic.point.parameters[p] - values[std::size_t(i)];
    }
    const auto solver = make_staged_step(StagedStepKind::sparse_lu, wider);
    StagedDirection direction(wider);
    EXPECT_TRUE(solver->prepare(fixed).solved());
    EXPECT_TRUE(solver->solve(fixed, direction).solved());
    return direction;
  }
};

// The minimizer under bounds is the only one among those on each set of active bounds that keeps all bounds and whose
// multipliers have the right signs: all sets are tried.
void expect_the_only_optimum(const RandomSizes& sizes, unsigned seed) {
  BoundedModel model(sizes, seed);
  std::vector<int> bounded;
  for (int p = 0; p < sizes.parameters; ++p)
    if (p < sizes.parameter_quaternions[0] || p >= sizes.parameter_quaternions[0] + 4) bounded.push_back(p);
  const Eigen::VectorXd free_step = model.with_fixed({}, {}).step.parameters;
  set_bounds(model.layout, -infinity, infinity);
  // Around the point, and so narrow that the step without bounds violates most of them.
  for (const int p : bounded) {
    const double size = std::abs(free_step[p]), at = model.quadratic.point.parameters[p];
    model.layout.parameter_lower[p] = at - 0.2 * size;
    model.layout.parameter_upper[p] = at + (p % 2 == 0 ? 0.4 : 1.5) * size;
  }
  StagedDirection found(model.layout);
  const auto solver = make_staged_step(StagedStepKind::arrow, model.layout);
  ASSERT_TRUE(solver->prepare(model.quadratic).solved());
  ASSERT_TRUE(solver->solve(model.quadratic, found).solved());

  int optima = 0, sets = 1;
  for (std::size_t i = 0; i < bounded.size(); ++i) sets *= 3;
  for (int set = 0; set < sets; ++set) {
    std::vector<int> active;
    std::vector<double> values, signs;
    for (std::size_t i = 0, digits = std::size_t(set); i < bounded.size(); ++i, digits /= 3) {
      if (digits % 3 == 0) continue;
      active.push_back(bounded[i]);
      signs.push_back(digits % 3 == 1 ? -1 : 1);
      values.push_back(digits % 3 == 1 ? model.layout.parameter_lower[bounded[i]] : model.layout.parameter_upper[bounded[i]]);
    }
    const StagedDirection candidate = model.with_fixed(active, values);
    const Eigen::VectorXd end = model.quadratic.point.parameters + candidate.step.parameters;
    const Eigen::VectorXd multipliers = candidate.multipliers.parameter_constraints.tail(Eigen::Index(active.size()));
    bool is_optimum = (end.array() >= model.layout.parameter_lower.array() - 1e-12).all() &&
                      (end.array() <= model.layout.parameter_upper.array() + 1e-12).all();
    for (std::size_t i = 0; i < active.size(); ++i) is_optimum &= signs[i] * multipliers[Eigen::Index(i)] >= 0;
    if (!is_optimum) continue;
    ++optima;
    EXPECT_GE(active.size(), 1u) << "a bound that is not active shows nothing";
    EXPECT_LT(test::relative_difference(found, candidate, false), 1e-10);
    EXPECT_LT(test::relative_difference(found.multipliers.states, candidate.multipliers.states), 1e-10);
    EXPECT_LT(test::relative_difference(found.multipliers.rates, candidate.multipliers.rates), 1e-10);
    Eigen::VectorXd wanted = Eigen::VectorXd::Zero(sizes.parameters);
    for (std::size_t i = 0; i < active.size(); ++i) wanted[active[i]] = multipliers[Eigen::Index(i)];
    EXPECT_LT(test::relative_difference(found.multipliers.parameter_bounds, wanted), 1e-9);
    const Eigen::Index rows = found.multipliers.parameter_constraints.size();
    EXPECT_LT(test::relative_difference(found.multipliers.parameter_constraints,
                                        Eigen::VectorXd(candidate.multipliers.parameter_constraints.head(rows))),
              1e-9);
  }
  EXPECT_EQ(optima, 1) << "seed " << seed;
}

TEST(ParameterBounds, AStepIsTheOnlyOptimumAmongAllSetsOfActiveBounds) {
  for (unsigned seed = 1; seed <= 4; ++seed)
    expect_the_only_optimum({.stages = 3, .parameters = 7, .controls = 5, .states = 8, .parameter_quaternions = {2}}, seed);
}

TEST(ParameterBounds, AStepKeepsRowsOfTheParametersToo) {
  for (unsigned seed = 1; seed <= 4; ++seed)
    expect_the_only_optimum(
        {.stages = 3, .parameters = 8, .controls = 5, .states = 8, .parameter_quaternions = {2}, .parameter_constraints = 1},
        seed);
}

// A pendulum whose targets want the length 2 and may be at most 1.5 long: the target's directions are reached, half a meter
// short at each of 21 knots.
TEST(ParameterBounds, ABoundedDesignEndsAtTheKnownOptimum) {
  SmallProblem problem = test::pendulum(21);
  set_bounds(problem.mutable_layout(), 0.5, 1.5);
  bool is_inside = true;
  int trials = 0;
  problem.branch = [&](const StagedPoint& trial) {
    ++trials;
    is_inside &= trial.parameters[0] >= 0.5 && trial.parameters[0] <= 1.5;
    return true;
  };
  StagedPoint point = problem.start(1, 0, 0);
  point.states.row(1).setConstant(-1);
  const StagedSqpResult result = StagedSqp(problem, {}).solve(point);
  ASSERT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
  EXPECT_TRUE(is_inside);
  EXPECT_GT(trials, 2);
  EXPECT_EQ(point.parameters[0], 1.5) << "the bound itself, not a number near it";
  for (int k = 0; k < 21; ++k) EXPECT_NEAR(point.controls(0, k), 0.2 + 0.1 * k, 1e-7);
  EXPECT_NEAR(result.multipliers.parameter_bounds[0], 21 * 0.5, 1e-6);
  EXPECT_EQ(result.iterations.back().active_bounds, 1);
}

TEST(ParameterBounds, ALowerBoundHasANegativeMultiplier) {
  SmallProblem problem = test::pendulum(21);
  set_bounds(problem.mutable_layout(), 2.5, 4);
  StagedPoint point = problem.start(3, 0, 0);
  point.states.row(1).setConstant(-3);
  const StagedSqpResult result = StagedSqp(problem, {}).solve(point);
  ASSERT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
  EXPECT_EQ(point.parameters[0], 2.5);
  EXPECT_NEAR(result.multipliers.parameter_bounds[0], -21 * 0.5, 1e-6);
}

TEST(ParameterBounds, EqualBoundsFixAParameter) {
  SmallProblem problem = test::pendulum(21);
  set_bounds(problem.mutable_layout(), 1, 1);
  StagedPoint point = problem.start(1, 0, 0);
  point.states.row(1).setConstant(-1);
  const StagedSqpResult result = StagedSqp(problem, {}).solve(point);
  ASSERT_EQ(result.status, StagedSqpStatus::converged) << result.diagnosis;
  EXPECT_EQ(point.parameters[0], 1);
  for (int k = 0; k < 21; ++k) EXPECT_NEAR(point.controls(0, k), 0.2 + 0.1 * k, 1e-7);
}

TEST(ParameterBounds, InactiveBoundsLeaveEveryBit) {
  StagedPoint points[2];
  StagedSqpResult results[2];
  for (const int bounded : {0, 1}) {
    SmallProblem problem = test::pendulum(21);
    if (bounded == 1) set_bounds(problem.mutable_layout(), 0.5, 10);
    points[bounded] = problem.start(1, 0, 0);
    points[bounded].states.row(1).setConstant(-1);
    results[bounded] = StagedSqp(problem, {}).solve(points[bounded]);
  }
  EXPECT_EQ(results[0].iterations.size(), results[1].iterations.size());
  EXPECT_EQ(results[0].objective, results[1].objective);
  EXPECT_EQ(points[0].parameters, points[1].parameters);
  EXPECT_EQ(points[0].controls, points[1].controls);
  EXPECT_EQ(points[0].states, points[1].states);
  EXPECT_EQ(results[0].multipliers.states, results[1].multipliers.states);
}

TEST(ParameterBounds, BoundsThatContradictTheRowsEndTheOptimization) {
  struct WithRow : SmallProblem {
    WithRow() : SmallProblem(test::pendulum(5)) {}
    void parameter_constraints(const Eigen::VectorXd& p, Eigen::Ref<Eigen::VectorXd> rows,
                               Eigen::Ref<Eigen::MatrixXd> jacobian) const override {
      rows[0] = p[0] - 3;
      jacobian(0, 0) = 1;
    }
  } problem;
  problem.mutable_layout().parameter_constraint_count = 1;
  set_bounds(problem.mutable_layout(), 0.5, 2);
  StagedPoint point = problem.start(1, 0, 0);
  point.states.row(1).setConstant(-1);
  const StagedSqpResult result = StagedSqp(problem, {}).solve(point);
  EXPECT_EQ(result.status, StagedSqpStatus::infeasible_bounds);
  EXPECT_NE(result.diagnosis.find("widen the bounds"), std::string::npos) << result.diagnosis;
}

std::string refusal(const std::function<void(StagedLayout&)>& spoil, StagedStepKind kind = StagedStepKind::arrow) {
  SmallProblem problem = test::pendulum(5);
  set_bounds(problem.mutable_layout(), 0.5, 2);
  spoil(problem.mutable_layout());
  StagedSqpOptions options;
  options.step = kind;
  try {
    StagedPoint point = problem.start(3, 0, 0);
    StagedSqp(problem, options).solve(point);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ParameterBoundsBadInput, WhatDoesNotFitIsNamed) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(refusal([](StagedLayout&) {}), "parameter 0 of the point is 3; its bounds are 0.5 and 2");
  expect(refusal([](StagedLayout& layout) { layout.parameter_lower[0] = 4; }), "the bounds of parameter 0 are 4 and 2");
  expect(refusal([](StagedLayout& layout) { layout.parameter_upper[0] = std::nan(""); }),
         "the bounds of parameter 0 are 0.5 and");
  expect(refusal([](StagedLayout& layout) { layout.parameter_upper.resize(0); }), "1 lower and 0 upper bounds of 1");
  expect(refusal([](StagedLayout&) {}, StagedStepKind::sparse_lu), "the step 'sparse_lu' does not support bounds");
  expect(refusal([](StagedLayout&) {}, StagedStepKind::dense_riccati), "the step 'dense_riccati' does not support bounds");
}

}  // namespace parameter_bounds
}  // namespace holo
