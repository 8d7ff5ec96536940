// The step solvers against each other, on random models: docs/robot-design-derivations.md#the-step.

#include <gtest/gtest.h>

#include "holo/core/numerics/parallel.h"
#include "holo/opt/staged/staged_step.h"
#include "random_problem.h"
#include "staged/arrow/state_factors.h"
#include "staged/reference/dense_riccati_step.h"

namespace holo {
namespace {

using test::RandomProblem;
using test::RandomSizes;
using test::relative_difference;

StagedDirection step_of(StagedStep& solver, const StagedQuadratic& quadratic) {
  StagedDirection direction(*quadratic.layout);
  EXPECT_TRUE(solver.prepare(quadratic).solved());
  EXPECT_TRUE(solver.solve(quadratic, direction).solved());
  return direction;
}

StagedDirection step_of(StagedStepKind kind, const StagedQuadratic& quadratic,
                        StateFactorization factorization = StateFactorization::lanes) {
  return step_of(*make_staged_step(kind, *quadratic.layout, factorization), quadratic);
}

// What the rounding errors of condition numbers around 1e3 leave, with room.
constexpr double tolerance = 1e-11;

struct Case {
  const char* name;
  RandomSizes sizes;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class StagedSteps : public testing::TestWithParam<Case> {};

TEST_P(StagedSteps, AgreeWithAllConditionsAtOnce) {
  const RandomProblem problem(GetParam().sizes, 7);
  const StagedQuadratic quadratic = problem.quadratic();
  const StagedDirection reference = step_of(StagedStepKind::sparse_lu, quadratic);
  ASSERT_GT(reference.step.states.norm(), 1e-3);
  EXPECT_LT(relative_difference(step_of(StagedStepKind::dense_riccati, quadratic), reference), tolerance);
  EXPECT_LT(relative_difference(step_of(StagedStepKind::arrow, quadratic), reference), tolerance);
  EXPECT_LT(relative_difference(step_of(StagedStepKind::arrow, quadratic, StateFactorization::klu), reference), tolerance);
  for (StagedStepKind kind : {StagedStepKind::umfpack, StagedStepKind::umfpack_metis}) {
    if (is_available(kind)) {
      EXPECT_LT(relative_difference(step_of(kind, quadratic), reference), tolerance) << to_string(kind);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, StagedSteps,
    testing::Values(Case{"general", {}}, Case{"many_knots", {.stages = 21, .states = 20}},
                    Case{"no_quaternions", {.parameter_quaternions = {}, .control_quaternions = {}}},
                    Case{"no_parameters", {.parameters = 0, .parameter_quaternions = {}}},
                    Case{"only_quaternions",
                         {.parameters = 8, .controls = 8, .parameter_quaternions = {0, 4}, .control_quaternions = {0, 4}}},
                    Case{"two_knots", {.stages = 2}},
                    Case{"parameter_constraints", {.parameters = 9, .parameter_quaternions = {2}, .parameter_constraints = 2}},
                    Case{"sparse_hessian", {.stages = 10, .dense_hessian = false}}),
    [](const auto& instance) { return instance.param.name; });

TEST(StagedSteps, AShiftIsPartOfTheModel) {
  const RandomProblem problem({}, 3);
  StagedQuadratic quadratic = problem.quadratic();
  const StagedDirection before = step_of(StagedStepKind::arrow, quadratic);
  quadratic.parameter_shift.setConstant(40);
  quadratic.control_shift.setConstant(30);
  quadratic.rate_shift.setConstant(20);
  const StagedDirection reference = step_of(StagedStepKind::sparse_lu, quadratic);
  EXPECT_GT(relative_difference(before, reference), 1e-3);
  EXPECT_LT(relative_difference(step_of(StagedStepKind::arrow, quadratic), reference), tolerance);
  EXPECT_LT(relative_difference(step_of(StagedStepKind::dense_riccati, quadratic), reference), tolerance);
}

TEST(StagedSteps, TheCurvatureAlongTheStepIsReported) {
  const RandomProblem problem({.stages = 11}, 3);
  StagedQuadratic quadratic = problem.quadratic();
  quadratic.parameter_shift.setConstant(0.1);
  quadratic.control_shift.setConstant(0.2);
  quadratic.rate_shift.setConstant(0.3);
  const StagedDirection direction = step_of(StagedStepKind::arrow, quadratic);
  const StagedLayout& layout = problem.layout();
  const int np = layout.parameter_count, nu = layout.control_count, last = layout.stage_count - 1;
  double curvature = 0, largest = 0;
  for (int k = 0; k <= last; ++k) {
    StagePattern hessian = layout.hessian;
    Eigen::VectorXd::Map(hessian.valuePtr(), hessian.nonZeros()) =
        quadratic.blocks[std::size_t(k / stage_lanes)].hessian.col(k % stage_lanes);
    Eigen::VectorXd step = Eigen::VectorXd::Zero(layout.stage_size()), shift = step;
    step << direction.step.parameters, direction.step.controls.col(k), Eigen::VectorXd::Zero(nu), direction.step.states.col(k);
    if (k < last) step.segment(np + nu, nu) = direction.step.rates.col(k);
    shift.head(np + 2 * nu) << quadratic.parameter_shift, quadratic.control_shift, quadratic.rate_shift;
    const Eigen::VectorXd product = hessian.selfadjointView<Eigen::Upper>() * step;
    curvature += step.dot(product);
    largest = std::max(largest, (product + shift.cwiseProduct(step)).lpNorm<Eigen::Infinity>());
  }
  EXPECT_NEAR(direction.curvature, curvature, 1e-11 * std::abs(curvature));
  EXPECT_NEAR(direction.largest_hessian_step, largest, 1e-11 * largest);
}

// The last knot has no rates: entries of a problem for them have no effect.
TEST(StagedSteps, TheRatesOfTheLastKnotAreIgnored) {
  const RandomProblem problem({.stages = 11}, 3);
  const StagedQuadratic quadratic = problem.quadratic();
  const StagedLayout& layout = problem.layout();
  const int begin = layout.parameter_count + layout.control_count, end = begin + layout.control_count;
  const auto is_rate = [&](int unknown) { return unknown >= begin && unknown < end; };
  double largest_before = 0;
  for (int column = 0, e = 0; column < layout.stage_size(); ++column)
    for (StagePattern::InnerIterator it(layout.hessian, column); it; ++it, ++e)
      if (is_rate(int(it.row())) || is_rate(column)) {
        const auto value = [&](int k) { return quadratic.blocks[std::size_t(k / stage_lanes)].hessian(e, k % stage_lanes); };
        EXPECT_EQ(value(10), 0);
        largest_before = std::max(largest_before, std::abs(value(9)));
      }
  EXPECT_GT(largest_before, 0);
}

TEST(StagedSteps, ACorrectionIsTheStepForOtherValuesOfTheConstraints) {
  const RandomProblem problem({}, 11);
  StagedQuadratic quadratic = problem.quadratic();
  const auto solver = make_staged_step(StagedStepKind::arrow, problem.layout());
  StagedDirection direction = step_of(*solver, quadratic);
  StagedConstraints constraints = quadratic.constraints;
  constraints.states *= -0.3;
  constraints.rates *= 2;
  constraints.control_quaternions.array() += 0.2;
  constraints.parameter_constraints.array() -= 0.1;
  StagedPoint corrected = zero_point(problem.layout());
  ASSERT_TRUE(solver->correct(quadratic, constraints, corrected).solved());
  StagedPoint reference = corrected;
  const auto other = make_staged_step(StagedStepKind::sparse_lu, problem.layout());
  ASSERT_TRUE(other->correct(quadratic, constraints, reference).solved());
  EXPECT_LT(relative_difference(corrected.parameters, reference.parameters), tolerance);
  EXPECT_LT(relative_difference(corrected.controls, reference.controls), tolerance);
  EXPECT_LT(relative_difference(corrected.rates, reference.rates), tolerance);
  EXPECT_LT(relative_difference(corrected.states, reference.states), tolerance);
  StagedDirection again(problem.layout());
  ASSERT_TRUE(solver->solve(quadratic, again).solved());
  EXPECT_EQ(again.step.states, direction.step.states);
}

// Rates of states tie neighboring knots to each other.
TEST(StagedSteps, RatesOfStatesArePartOfTheModel) {
  for (const RandomSizes& sizes :
       {RandomSizes{.rated_states = {3, 17}}, RandomSizes{.stages = 21, .states = 20, .rated_states = {0, 5, 19}},
        RandomSizes{.stages = 2, .parameters = 0, .parameter_quaternions = {}, .rated_states = {41}},
        RandomSizes{.parameters = 9, .parameter_quaternions = {2}, .parameter_constraints = 2, .rated_states = {8}}}) {
    const RandomProblem problem(sizes, 7);
    const StagedQuadratic quadratic = problem.quadratic();
    const auto arrow = make_staged_step(StagedStepKind::arrow, problem.layout()),
               all = make_staged_step(StagedStepKind::sparse_lu, problem.layout());
    const StagedDirection direction = step_of(*arrow, quadratic), reference = step_of(*all, quadratic);
    EXPECT_LT(relative_difference(direction, reference), tolerance);
    EXPECT_NEAR(direction.curvature, reference.curvature, 1e-9 * std::abs(reference.curvature));
    StagedQuadratic without = quadratic;
    without.state_rate_curvatures.setZero();
    EXPECT_GT(relative_difference(step_of(*arrow, without), reference), 1e-4);
    EXPECT_TRUE(arrow->prepare(quadratic).solved());
    StagedConstraints constraints = quadratic.constraints;
    constraints.states *= -0.3;
    constraints.rates *= 2;
    StagedDirection again(problem.layout());
    StagedPoint corrected = again.step, expected = again.step;
    ASSERT_TRUE(arrow->solve(quadratic, again).solved());
    ASSERT_TRUE(arrow->correct(quadratic, constraints, corrected).solved());
    ASSERT_TRUE(all->correct(quadratic, constraints, expected).solved());
    EXPECT_LT(relative_difference(corrected.states, expected.states), tolerance);
    EXPECT_LT(relative_difference(corrected.controls, expected.controls), tolerance);
  }
}

TEST(StagedSteps, ThreadsChangeNoBit) {
  const RandomProblem problem({.stages = 40}, 5);
  const StagedQuadratic quadratic = problem.quadratic();
  StagedDirection one, many;
  {
    const ThreadLimit limit(1);
    one = step_of(StagedStepKind::arrow, quadratic);
  }
  many = step_of(StagedStepKind::arrow, quadratic);
  EXPECT_EQ(one.step.states, many.step.states);
  EXPECT_EQ(one.step.controls, many.step.controls);
  EXPECT_EQ(one.multipliers.states, many.multipliers.states);
  EXPECT_EQ(one.multipliers.parameters_equal, many.multipliers.parameters_equal);
  EXPECT_EQ(one.curvature, many.curvature);
}

// The paper's formulas as printed, in the same recursion.
struct LiteralEquation10 : DenseRiccatiStep {
  using DenseRiccatiStep::DenseRiccatiStep;
  Eigen::VectorXd affine_control(const Stage& stage) const override { return -DenseRiccatiStep::affine_control(stage); }
};
struct LiteralEquation11 : DenseRiccatiStep {
  using DenseRiccatiStep::DenseRiccatiStep;
  Eigen::VectorXd start_minimizer(const Eigen::MatrixXd& quadratic, const Eigen::VectorXd& linear) const override {
    return -DenseRiccatiStep::start_minimizer(quadratic, linear);  // no minus sign in print
  }
};
struct LiteralAlgorithm4 : DenseRiccatiStep {
  using DenseRiccatiStep::DenseRiccatiStep;
  Eigen::VectorXd state_multipliers(const Stage& stage, const Eigen::VectorXd& gradient) const override {
    return -stage.by_states.transpose() * gradient;  // the inverse is missing in print
  }
};

class PrintedFormulas : public testing::Test {
 protected:
  template <class Step>
  double error(bool with_multipliers) {
    Step step(problem_.layout(), StateFactorization::klu);
    return relative_difference(step_of(step, quadratic_), reference_, with_multipliers);
  }

  const RandomProblem problem_{{}, 7};
  const StagedQuadratic quadratic_ = problem_.quadratic();
  const StagedDirection reference_ = step_of(StagedStepKind::sparse_lu, quadratic_);
};

TEST_F(PrintedFormulas, Equation10HasTheWrongStep) {
  EXPECT_LT(error<DenseRiccatiStep>(true), tolerance);
  EXPECT_GT(error<LiteralEquation10>(false), 1e-2);
}

TEST_F(PrintedFormulas, Equation11HasTheWrongStep) { EXPECT_GT(error<LiteralEquation11>(false), 1e-2); }

TEST_F(PrintedFormulas, Algorithm4HasTheWrongMultipliers) {
  EXPECT_LT(error<LiteralAlgorithm4>(false), tolerance);
  EXPECT_GT(error<LiteralAlgorithm4>(true), 1e-2);
}

}  // namespace
}  // namespace holo
