// Contact-invariant optimization: values and derivatives against an independent evaluation by complex steps, the energy of
// contacts, both solvers.
#include "../allocation_count.h"
#include "../refusal_message.h"
#include "holo/core/numerics/parallel.h"
#include "holo/opt/trajectory/lbfgs.h"
#include "holo/opt/trajectory/levenberg_marquardt.h"
#include "holo/sim/articulated/trajectory/contact_invariant_problem.h"
#include "trajectory_evaluation.h"

namespace holo::articulated::contact_invariant_tests {

using namespace test;
using Eigen::MatrixXd, Eigen::VectorXd;

// A floor and a ball.
TrajectoryModel model_of(const MotionCase& given) {
  TrajectoryModel::Definition definition = definition_of(given);
  definition.obstacles.emplace_back();
  definition.obstacles[1].kind = ObstacleKind::sphere;
  definition.obstacles[1].size = {0.3, 0, 0};
  definition.obstacles[1].frame.origin = {0.2, 0.1, -0.25};
  return TrajectoryModel(std::move(definition));
}

template <class S>
struct Evaluation {
  std::vector<S> rows;         // whose squares are E
  std::vector<S> constraints;  // [step][unactuated]
};

// The five residuals of a contact, and the force's wrench, which the residual of the step has with a minus.
template <class S>
void add_contact(const TrajectoryModel& model, const StepStates<S>& at, int point, const Obstacle& obstacle,
                 const Vector3<S>& force, std::vector<S>& rows, WrenchMatrix<S>& wrench) {
  const ContactPoint& sphere = model.character().contact_points()[std::size_t(point)];
  const RigidFrame<S>& frame = at.newest.kinematics.frames[sphere.dof];
  const Vector3<S> center = frame * matrix_cast<S>(sphere.center);
  const DistanceSample<S> surface = obstacle_distance(obstacle, center);
  const S gap = surface.distance - sphere.radius, pull = dot(surface.normal, force);
  const Vector3<S> P = center - sphere.lever * surface.normal;
  const Vector3<S> v = (P - at.current.kinematics.frames[sphere.dof] * point_in(frame, P)) / model.step().time_step;
  const S z = 20.0 * sqrt(pull * pull + 1e-8) - 2.0;
  const S half = (exp(2.0 * z) - 1.0) / (exp(2.0 * z) + 1.0);  // tanh
  const S root = sqrt(0.5 * half + 0.5);
  rows.push_back(gap < 0.0 ? gap : S(0.0));
  for (int k = 0; k < 3; ++k) rows.push_back(root * (v[k] - dot(v, surface.normal) * surface.normal[k]));
  rows.push_back(root * gap);
  add_force(model.weight() * force, P, wrench);
}

template <class S>
void add_step(const TrajectoryModel& model, const StepStates<S>& at, const S* forces, Evaluation<S>& result) {
  const CharacterModel& character = model.character();
  StepMemory<S> memory(character);
  StepConstants free = model.step();
  free.obstacle_count = 0;
  std::vector<S> residual(std::size_t(character.dof_count()));
  step_residual(character.data(), free, at, memory.workspace(), residual.data());
  std::vector<WrenchMatrix<S>> wrenches(residual.size());
  for (int p = 0; p < int(character.contact_points().size()); ++p)
    for (int o = 0; o < model.step().obstacle_count; ++o, forces += 3)
      add_contact(model, at, p, model.step().obstacles[o], Vector3<S>{forces[0], forces[1], forces[2]}, result.rows,
                  wrenches[std::size_t(character.contact_points()[std::size_t(p)].dof)]);
  for (int k = character.dof_count() - 1; k >= 0; --k) {
    residual[std::size_t(k)] =
        residual[std::size_t(k)] - generalized_force(at.newest.kinematics.twists[k], wrenches[std::size_t(k)]);
    if (const int parent = character.data().dofs[k].parent; parent >= 0)
      wrenches[std::size_t(parent)] += wrenches[std::size_t(k)];
  }
  for (const int dof : character.actuated())
    result.rows.push_back(std::sqrt(3e-4 / (4.0 * double(character.actuated().size()))) * residual[std::size_t(dof)]);
  for (const int dof : character.unactuated()) result.constraints.push_back(residual[std::size_t(dof)]);
}

template <class S>
Evaluation<S> evaluate(const TrajectoryInput& input, const std::vector<std::vector<S>>& coefficients,
                       const std::vector<std::vector<S>>& forces) {
  const CharacterModel& character = input.model.character();
  std::vector<StateMemory<S>> states = states_of(input, coefficients);
  Evaluation<S> result;
  for (int i = 1; i <= input.model.steps(); ++i) {
    const auto state = [&](int k) { return states[std::size_t(k + 1)].view(); };
    add_step(input.model, {state(i), state(i - 1), state(i - 2)}, forces[std::size_t(i - 1)].data(), result);
    const Vector3<S> moved =
        center_of_mass_of(character, states[std::size_t(i + 1)]) - center_of_mass_of(character, states[std::size_t(i)]);
    for (int k = 0; k < 3; ++k)
      result.rows.push_back(std::sqrt(1.7 * case_weights[k] / 2) * (moved[k] / input.model.step().time_step - case_speed[k]) /
                            case_scale);
  }
  return result;
}

class ContactInvariantProblems : public testing::TestWithParam<MotionCase> {
 protected:
  TrajectoryModel model = model_of(GetParam());
  TrajectoryBasis basis = basis_of(GetParam());
  ContactInvariantProblem problem{model, basis};
  VectorXd point;

  ContactInvariantProblems() {
    problem.motion().set_loss_scale(1.7);
    const VectorXd start = problem.motion().point();
    point = problem.point_of(start + random_vector(start.size(), 1, 0.05));
    point += random_vector(point.size(), 2, 0.02);
  }
  static std::vector<std::vector<ComplexStep>> seeded(const MatrixXd& values, const MatrixXd& directions) {
    std::vector<std::vector<ComplexStep>> result(std::size_t(values.cols()));
    for (Eigen::Index j = 0; j < values.cols(); ++j)
      for (Eigen::Index i = 0; i < values.rows(); ++i)
        result[std::size_t(j)].push_back(ComplexStep::seed(values(i, j), directions(i, j)));
    return result;
  }
  struct Derivatives {
    VectorXd rows, constraints;
    MatrixXd row_jacobian, jacobian;
  };
  Derivatives independent() {
    const TrajectoryInput input{model, GetParam().length, problem.motion().states(problem.motion_point(point))};
    const MatrixXd c = problem.motion().coefficients(problem.motion_point(point)), f = problem.forces(point);
    Derivatives result;
    for (Eigen::Index unknown = 0; unknown < point.size(); ++unknown) {
      const VectorXd moved = point + VectorXd::Unit(point.size(), unknown);
      const auto direction = [](const MatrixXd& after, const MatrixXd& before) {
        return MatrixXd((after - before).array().round());
      };
      const Evaluation<ComplexStep> at =
          evaluate(input, seeded(c, direction(problem.motion().coefficients(problem.motion_point(moved)), c)),
                   seeded(f, direction(problem.forces(moved), f)));
      const auto take = [&](const std::vector<ComplexStep>& from, VectorXd& values, MatrixXd& derivatives) {
        values.resize(Eigen::Index(from.size()));
        derivatives.conservativeResize(values.size(), point.size());
        for (Eigen::Index k = 0; k < values.size(); ++k) {
          values[k] = from[std::size_t(k)].value();
          derivatives(k, unknown) = from[std::size_t(k)].derivative();
        }
      };
      take(at.rows, result.rows, result.row_jacobian);
      take(at.constraints, result.constraints, result.jacobian);
    }
    return result;
  }
};

INSTANTIATE_TEST_SUITE_P(
    Characters, ContactInvariantProblems,
    testing::Values(MotionCase{"HopperSpline", "hopper6", BaseChart::planar, InertiaRule::end, 13, 5, TrajectoryEnd::free},
                    MotionCase{"HopperGivenState", "hopper6", BaseChart::planar, InertiaRule::mid, 8, 4, TrajectoryEnd::state},
                    MotionCase{"HopperSteps", "hopper6", BaseChart::planar, InertiaRule::end, 5, 1, TrajectoryEnd::free},
                    MotionCase{"MammalSpline", "mammal18", BaseChart::rotation_vector, InertiaRule::end, 5, 3,
                               TrajectoryEnd::free}),
    [](const auto& given) { return given.param.name; });

double relative_error(const MatrixXd& a, const MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff(); }

template <class Multiply>
MatrixXd columns_of(Eigen::Index rows, Eigen::Index columns, const Multiply& multiply) {
  MatrixXd result(rows, columns);
  VectorXd column(rows);
  for (Eigen::Index j = 0; j < columns; ++j) {
    multiply(VectorXd::Unit(columns, j), column);
    result.col(j) = column;
  }
  return result;
}

TEST_P(ContactInvariantProblems, HaveTheValuesAndDerivativesOfComplexSteps) {
  const Derivatives expected = independent();
  const Eigen::Index n = point.size(), m = problem.constraint_count();
  VectorXd constraints(m), gradient(n);
  EXPECT_NEAR(problem.evaluate(point, constraints), expected.rows.squaredNorm(), 1e-13 * expected.rows.squaredNorm());
  ASSERT_EQ(constraints.size(), expected.constraints.size());
  EXPECT_LT(relative_error(constraints, expected.constraints), 1e-12);
  problem.linearize(point, VectorXd::Zero(m), gradient);
  const VectorXd slope = 2 * expected.row_jacobian.transpose() * expected.rows;
  EXPECT_LT(relative_error(gradient, slope), 1e-12);
  const SaddlePointSystem& system = problem.system();
  const MatrixXd A = columns_of(m, n, [&](const VectorXd& p, VectorXd& result) { system.multiply_jacobian(p, result); });
  const MatrixXd H = columns_of(n, n, [&](const VectorXd& p, VectorXd& result) { system.multiply_hessian(p, result); });
  EXPECT_LT(relative_error(A, expected.jacobian), 1e-12);
  EXPECT_LT(relative_error(H, 2 * expected.row_jacobian.transpose() * expected.row_jacobian), 1e-12);
  const VectorXd multipliers = random_vector(m, 5);
  ASSERT_TRUE(problem.differentiate(point, multipliers, gradient));
  EXPECT_LT(relative_error(gradient, slope + expected.jacobian.transpose() * multipliers), 1e-12);
}

TEST_P(ContactInvariantProblems, HaveTheResidualsOfTheSmoothContactModelWithItsForces) {
  const VectorXd motion = problem.motion_point(point), with_forces = problem.point_of(motion);
  const MatrixXd expected = problem.motion().residuals(motion);
  EXPECT_LT(relative_error(problem.residuals(with_forces), expected), 1e-12);
  const TrajectoryValues values = problem.values(with_forces), smooth = problem.motion().values(motion);
  EXPECT_NEAR(values.reduced_violation, smooth.reduced_violation, 1e-12 * smooth.reduced_violation);
  EXPECT_NEAR(values.full_violation, smooth.full_violation, 1e-12 * smooth.full_violation);
  EXPECT_NEAR(values.effort, smooth.effort, 1e-12 * smooth.effort);
  EXPECT_EQ(values.losses, smooth.losses);
  EXPECT_GT(problem.forces(with_forces).cwiseAbs().maxCoeff(), 0.1);  // of the weight
}

TEST_P(ContactInvariantProblems, AllocateNothingAfterTheFirstEvaluationAndIgnoreThreads) {
  VectorXd constraints(problem.constraint_count()), gradient(point.size()), slopes(point.size());
  const VectorXd other = point.array() + 1e-3;
  const auto all = [&](const VectorXd& at) {
    problem.evaluate(at, constraints);
    problem.linearize(at, constraints, gradient);
    problem.differentiate(at, constraints, slopes);
  };
  all(point);
  const VectorXd gradient_before = gradient, slopes_before = slopes;
  const ThreadLimit one(1);
  all(other);
  const long before = holo::test::allocation_count;
  all(point);
  EXPECT_EQ(holo::test::allocation_count - before, 0);
  EXPECT_EQ(gradient, gradient_before);
  EXPECT_EQ(slopes, slopes_before);
}

}  // namespace holo::articulated::contact_invariant_tests
