// The optimization problem of trajectories: values and derivatives against an independent evaluation by complex steps.
#include "holo/sim/articulated/trajectory/trajectory_problem.h"

#include "../allocation_count.h"
#include "holo/core/numerics/parallel.h"
#include "trajectory_evaluation.h"

namespace holo::articulated::trajectory_problem_tests {

using namespace test;
using Eigen::MatrixXd, Eigen::VectorXd;

// A problem at a random point, with reference rotations of each state.
class TrajectoryProblems : public testing::TestWithParam<MotionCase> {
 protected:
  TrajectoryModel model{definition_of(GetParam())};
  TrajectoryBasis basis = basis_of(GetParam());
  TrajectoryProblem problem{model, basis};
  VectorXd point;
  int n = model.character().dof_count();

  TrajectoryProblems() {
    MatrixXd coefficients = problem.coefficients(problem.point());
    coefficients.rightCols(coefficients.cols() - 1) +=
        random_vector(coefficients.size() - n, 1, 0.05).reshaped(n, coefficients.cols() - 1);
    TrajectoryStates references(model.character(), model.steps(), model.definition().start);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> draw(-0.02, 0.02);
    for (int i = 0; i <= model.steps(); ++i)
      for (std::size_t c = 0; c < model.character().rest().references.size(); ++c)
        references.references(i)[c] = rotation_of_vector(Vector3<double>{0.2 + draw(random), draw(random), draw(random)});
    problem.set_coefficients(coefficients);
    problem.set_references(references);
    problem.set_loss_scale(1.7);
    point = problem.point();
  }
  std::vector<std::vector<ComplexStep>> complex_coefficients(int column, int dof) {
    const MatrixXd c = problem.coefficients(point);
    std::vector<std::vector<ComplexStep>> result;
    for (int j = 0; j < int(c.cols()); ++j) {
      result.emplace_back();
      for (int d = 0; d < n; ++d) result.back().push_back(ComplexStep::seed(c(d, j), j == column && d == dof ? 1.0 : 0.0));
    }
    return result;
  }
  // E, C, and their derivatives by each unknown; the rows of u and v by unknowns give the Gauss-Newton Hessian.
  struct Derivatives {
    double objective = 0;
    VectorXd constraints, gradient;
    MatrixXd hessian, jacobian;
  };
  Derivatives independent() {
    const TrajectoryInput input{model, GetParam().length, problem.states(point)};
    Derivatives result;
    result.gradient.resize(point.size());
    MatrixXd du, dv;
    VectorXd u, v;
    Eigen::Index unknown = 0;
    for (int column = 0; column < basis.columns(); ++column)
      for (int dof = 0; dof < n && basis.is_unknown(column); ++dof, ++unknown) {
        const TrajectoryEvaluation<ComplexStep> at = evaluate_trajectory(input, complex_coefficients(column, dof));
        const auto take = [&](const std::vector<ComplexStep>& from, VectorXd& values, MatrixXd& derivatives) {
          values.resize(Eigen::Index(from.size()));
          derivatives.conservativeResize(values.size(), point.size());
          for (Eigen::Index k = 0; k < values.size(); ++k) {
            values[k] = from[std::size_t(k)].value();
            derivatives(k, unknown) = from[std::size_t(k)].derivative();
          }
        };
        take(at.controls, u, du);
        take(at.velocities, v, dv);
        take(at.constraints, result.constraints, result.jacobian);
      }
    const double effort = u.size() == 0 ? 0 : 3e-4 / (4.0 * double(model.character().actuated().size()));
    VectorXd gap(v.size()), weight(v.size());
    for (Eigen::Index k = 0; k < v.size(); ++k) {
      gap[k] = (v[k] - case_speed[k % 3]) / case_scale;
      weight[k] = 1.7 * case_weights[k % 3];
    }
    result.objective = effort * u.squaredNorm() + weight.dot(gap.cwiseAbs2()) / 2;
    result.gradient = 2 * effort * du.transpose() * u + dv.transpose() * weight.cwiseProduct(gap) / case_scale;
    result.hessian = 2 * effort * du.transpose() * du + dv.transpose() * weight.asDiagonal() * dv / (case_scale * case_scale);
    return result;
  }
};

const MotionCase problem_cases[] = {
    {"HopperSpline", "hopper6", BaseChart::planar, InertiaRule::end, 20, 10, TrajectoryEnd::free},
    {"HopperShorterLastSegment", "hopper6", BaseChart::planar, InertiaRule::end, 13, 5, TrajectoryEnd::free},
    {"HopperLastSegmentOfOneStep", "hopper6", BaseChart::planar, InertiaRule::mid, 11, 5, TrajectoryEnd::free},
    {"HopperOneShortSegment", "hopper6", BaseChart::planar, InertiaRule::end, 4, 10, TrajectoryEnd::free},
    {"HopperPairs", "hopper6", BaseChart::planar, InertiaRule::end, 7, 2, TrajectoryEnd::free},
    {"HopperGivenPosition", "hopper6", BaseChart::planar, InertiaRule::end, 15, 5, TrajectoryEnd::position},
    {"HopperGivenState", "hopper6", BaseChart::planar, InertiaRule::end, 15, 5, TrajectoryEnd::state},
    {"HopperSteps", "hopper6", BaseChart::planar, InertiaRule::mid, 9, 1, TrajectoryEnd::free},
    {"HopperStepsGivenEnd", "hopper6", BaseChart::planar, InertiaRule::end, 9, 1, TrajectoryEnd::position},
    {"HopperOneStep", "hopper6", BaseChart::planar, InertiaRule::end, 1, 1, TrajectoryEnd::free},
    {"HopperOneStepSpline", "hopper6", BaseChart::planar, InertiaRule::end, 1, 10, TrajectoryEnd::position},
    {"BlockWithoutActuators", "block2", BaseChart::fixed, InertiaRule::end, 8, 4, TrajectoryEnd::free},
    {"PendulumWithoutConstraints", "pendulum2", BaseChart::fixed, InertiaRule::end, 8, 4, TrajectoryEnd::free},
    {"MammalSpline", "mammal18", BaseChart::rotation_vector, InertiaRule::end, 11, 4, TrajectoryEnd::free},
    {"MammalSteps", "mammal18", BaseChart::rotation_vector, InertiaRule::end, 4, 1, TrajectoryEnd::free},
};
INSTANTIATE_TEST_SUITE_P(Characters, TrajectoryProblems, testing::ValuesIn(problem_cases),
                         [](const auto& info) { return info.param.name; });

double relative_error(const MatrixXd& a, const MatrixXd& b) {
  if (b.size() == 0 || b.isZero(0)) return a.isZero(0) ? 0 : 1;
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

TEST_P(TrajectoryProblems, HaveTheValuesAndDerivativesOfComplexSteps) {
  const Derivatives expected = independent();
  VectorXd constraints(problem.constraint_count()), gradient(point.size());
  EXPECT_NEAR(problem.evaluate(point, constraints), expected.objective, 1e-13 * expected.objective);
  ASSERT_EQ(constraints.size(), expected.constraints.size());
  EXPECT_LT(relative_error(constraints, expected.constraints), 1e-12);
  problem.linearize(point, VectorXd::Zero(constraints.size()), gradient);
  EXPECT_LT(relative_error(gradient, expected.gradient), 1e-12);
  EXPECT_LT(relative_error(dense_jacobian(problem), expected.jacobian), 1e-12);
  EXPECT_LT(relative_error(dense_hessian(problem), expected.hessian), 1e-12);
  const VectorXd multipliers = random_vector(constraints.size(), 5);
  ASSERT_TRUE(problem.differentiate(point, multipliers, gradient));
  EXPECT_LT(relative_error(gradient, expected.gradient + expected.jacobian.transpose() * multipliers), 1e-12);
}

// Points further apart than the reach of the blocks are independent: exactly 0 by the other evaluation too.
TEST_P(TrajectoryProblems, CoupleNearPointsOnly) {
  const Derivatives expected = independent();
  const BandedBlocks& blocks = static_cast<BandedSaddlePoint&>(problem.system()).blocks();
  for (int z = 0; z < blocks.shape().points(); ++z)
    for (int other = 0; other < blocks.shape().points(); ++other) {
      const auto is_zero = [&](const MatrixXd& matrix, int row, int rows) {
        return matrix.block(row, blocks.first_unknown(other), rows, blocks.shape().unknowns[std::size_t(other)]).isZero(0);
      };
      const std::size_t own = std::size_t(z);
      EXPECT_TRUE(std::abs(z - other) <= blocks.shape().hessian_reach ||
                  is_zero(expected.hessian, blocks.first_unknown(z), blocks.shape().unknowns[own]));
      EXPECT_TRUE((other >= blocks.first_seen(z) && other <= blocks.last_seen(z)) ||
                  is_zero(expected.jacobian, blocks.first_constraint(z), blocks.shape().constraints[own]));
    }
}

TEST_P(TrajectoryProblems, KeepAGivenEnd) {
  const TrajectoryStates& states = problem.states(point);
  const MatrixXd before = problem.coefficients(point);
  const VectorXd end = Eigen::Map<const VectorXd>(states.coordinates(model.steps()), n);
  const VectorXd moved = point + random_vector(point.size(), 9, 0.1);
  const VectorXd other = Eigen::Map<const VectorXd>(problem.states(moved).coordinates(model.steps()), n);
  EXPECT_EQ(other == end, GetParam().end != TrajectoryEnd::free);
  const MatrixXd after = problem.coefficients(moved);
  for (int column = 0; column < basis.columns(); ++column)
    EXPECT_EQ(after.col(column) == before.col(column), !basis.is_unknown(column)) << column;
}

TEST_P(TrajectoryProblems, DoNotDependOnTheNumberOfThreads) {
  VectorXd constraints[2], gradients[2], slopes[2];
  MatrixXd hessians[2], jacobians[2];
  double objectives[2];
  for (const int k : {0, 1}) {
    const ThreadLimit limit(k == 0 ? 1 : 4);
    TrajectoryProblem own(model, basis);
    own.set_coefficients(problem.coefficients(point));
    own.set_references(problem.states(point));
    constraints[k].resize(own.constraint_count());
    gradients[k].resize(point.size());
    objectives[k] = own.evaluate(point, constraints[k]);
    own.linearize(point, VectorXd::Zero(own.constraint_count()), gradients[k]);
    hessians[k] = dense_hessian(own);
    jacobians[k] = dense_jacobian(own);
    slopes[k].resize(point.size());
    own.differentiate(point, constraints[k], slopes[k]);
  }
  EXPECT_EQ(objectives[0], objectives[1]);
  EXPECT_EQ(constraints[0], constraints[1]);
  EXPECT_EQ(gradients[0], gradients[1]);
  EXPECT_EQ(hessians[0], hessians[1]);
  EXPECT_EQ(jacobians[0], jacobians[1]);
  EXPECT_EQ(slopes[0], slopes[1]);
}

TEST_P(TrajectoryProblems, AllocateNothingAfterTheFirstEvaluation) {
  ASSERT_EQ(holo::test::an_allocation_counts(), holo::test::counts_allocations);
  const ThreadLimit one(1);
  VectorXd constraints(problem.constraint_count()), gradient(point.size());
  const VectorXd multipliers = VectorXd::Zero(constraints.size()), other = point.array() + 1e-3;
  problem.evaluate(point, constraints);
  problem.linearize(point, multipliers, gradient);
  problem.differentiate(point, multipliers, gradient);
  const long before = holo::test::allocation_count;
  problem.evaluate(other, constraints);
  problem.linearize(other, multipliers, gradient);
  problem.differentiate(other, multipliers, gradient);
  problem.evaluate(point, constraints);
  EXPECT_EQ(holo::test::allocation_count - before, 0);
}

// C of single steps are the residuals themselves, in their order.
TEST(TrajectoryProblem, OfSingleStepsHasTheEquationsOfEachStep) {
  const TrajectoryModel model{definition_of(problem_cases[7])};
  TrajectoryProblem problem(model, TrajectoryBasis::nodal(9));
  const VectorXd point = problem.point() + random_vector(problem.unknown_count(), 2, 0.03);
  VectorXd constraints(problem.constraint_count());
  problem.evaluate(point, constraints);
  const std::vector<int> unactuated = model.character().unactuated();
  ASSERT_EQ(constraints.size(), Eigen::Index(9 * unactuated.size()));
  double largest = 0;
  for (int step = 1; step <= 9; ++step) {
    const TrajectoryStates& states = problem.states(point);
    const VectorXd residual =
        test::residual(model.character(), model.step(), {states.pose(step), states.pose(step - 1), states.pose(step - 2)});
    for (std::size_t k = 0; k < unactuated.size(); ++k) {
      EXPECT_NEAR(constraints[Eigen::Index(std::size_t(step - 1) * unactuated.size() + k)], residual[unactuated[k]],
                  1e-12 * residual.norm());
      largest = std::max(largest, std::abs(residual[unactuated[k]]));
    }
  }
  const TrajectoryValues values = problem.values(point);
  EXPECT_NEAR(values.full_violation, largest, 1e-12 * largest);
  EXPECT_EQ(values.reduced_violation, values.full_violation);
  EXPECT_EQ(problem.constraint_name(4), "the equation of motion of 'base_z' at 0.05 s");
}

// A quadratic loss of linear observables, without effort: Gauss-Newton is exact.
TEST(TrajectoryProblem, HasTheExactHessianOfQuadraticLossesOfControls) {
  TrajectoryModel::Definition definition = above_a_floor(shared_character("hopper6", BaseChart::planar), 12);
  add_loss(definition, "keep_control", "{control: [hip, knee], weight: 2}");
  add_loss(definition, "smooth_control", "{control: ankle, weight: 0.01}");
  definition.effort_weight = 0;
  const TrajectoryModel model(std::move(definition));
  TrajectoryProblem problem(model, TrajectoryBasis::spline(12, 5));
  const VectorXd x = problem.point() + random_vector(problem.unknown_count(), 2, 0.1);
  const VectorXd d = random_vector(problem.unknown_count(), 4), zero = VectorXd::Zero(problem.constraint_count());
  VectorXd before(x.size()), after(x.size()), product(x.size());
  problem.linearize(x, zero, before);
  problem.linearize(x + d, zero, after);
  problem.system().multiply_hessian(d, product);
  EXPECT_LT((after - before - product).norm(), 1e-13 * after.norm());
  EXPECT_GT(product.norm(), 0.1);
}

// A pair of plain values and of residuals whose sizes differ: the memory of one loss is no other's.
TEST(TrajectoryProblem, AllocatesNothingWithLossesOfSeveralSizes) {
  TrajectoryModel::Definition definition = above_a_floor(shared_character("mammal18", BaseChart::rotation_vector), 13);
  add_loss(definition, "track_position", "{body: front_left_knee, target: [0, 0, 0.3]}");
  add_loss(definition, "center_of_mass_velocity", "{body: mammal18, target: [1, 0, 0]}");
  add_loss(definition, "keep_control", "{control: front_left_knee}");
  const TrajectoryModel model(std::move(definition));
  const ThreadLimit one(1);
  for (const TrajectoryBasis& basis : {TrajectoryBasis::spline(13, 5), TrajectoryBasis::nodal(13)}) {
    TrajectoryProblem problem(model, basis);
    const VectorXd x = problem.point(), zero = VectorXd::Zero(problem.constraint_count());
    VectorXd gradient(x.size());
    problem.linearize(x, zero, gradient);
    const VectorXd other = x.array() + 1e-3;
    const long before = holo::test::allocation_count;
    problem.linearize(other, zero, gradient);
    EXPECT_EQ(holo::test::allocation_count - before, 0);
  }
}

}  // namespace holo::articulated::trajectory_problem_tests
