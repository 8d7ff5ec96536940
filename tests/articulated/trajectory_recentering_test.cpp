// Recentering of the charts of rotations along a trajectory keeps its motion.
#include "holo/opt/trajectory/trust_region_sqp.h"
#include "trajectory_samples.h"

namespace holo::articulated::trajectory_recentering_tests {

using namespace test;
using Eigen::MatrixXd, Eigen::VectorXd;

constexpr int steps = 20;

// A mammal in the air that turns about a skew axis by 0.5 rad in each step, more than one turn in all, from a start that is
// turned and moves.
TrajectoryModel spinning() {
  TrajectoryModel::Definition definition = above_a_floor(shared_character("mammal18", BaseChart::rotation_vector), steps);
  const int w = definition.character->data().charts[0].first;
  definition.start.coordinates[std::size_t(definition.character->dof("base_z"))] += 1;
  for (int k = 0; k < 3; ++k) definition.start.coordinates[std::size_t(w + k)] = 0.1 * (k + 1);
  definition.before = definition.start;
  definition.before.coordinates[std::size_t(w)] -= 0.05;
  add_loss(definition, "track_center_of_mass", "{body: mammal18, target: [1, 0, 1]}");
  definition.effort_weight = 1e-3;
  return TrajectoryModel(std::move(definition));
}

MatrixXd turning(const TrajectoryModel& model) {
  const int n = model.character().dof_count(), w = model.character().data().charts[0].first;
  MatrixXd coefficients(n, steps + 1);
  for (int i = 0; i <= steps; ++i) {
    coefficients.col(i) = Eigen::Map<const VectorXd>(model.definition().start.coordinates.data(), n) +
                          (i > 0 ? random_vector(n, unsigned(i), 0.02) : VectorXd::Zero(n));
    coefficients.col(i).segment(w, 3) += 0.5 * i * Eigen::Vector3d(2, -1, 2) / 3;
  }
  return coefficients;
}

// All entries of the frames of the states -1 ... N.
VectorXd frames_of(const TrajectoryStates& states) {
  const int n = states.model().dof_count();
  VectorXd result(12 * n * (states.steps() + 2));
  Eigen::Index next = 0;
  for (int i = -1; i <= states.steps(); ++i)
    for (int j = 0; j < n; ++j) {
      const RigidFrame<double>& frame = states.view(i).kinematics.frames[j];
      for (int r = 0; r < 3; ++r) {
        result[next++] = frame.origin[r];
        for (int c = 0; c < 3; ++c) result[next++] = frame.rotation(r, c);
      }
    }
  return result;
}

struct TrajectoryRecentering : testing::Test {
  TrajectoryModel model = spinning();
  TrajectoryProblem problem{model, TrajectoryBasis::nodal(steps)};
  VectorXd point;
  const int w = model.character().data().charts[0].first;

  TrajectoryRecentering() {
    problem.set_coefficients(turning(model));
    point = problem.point();
  }
};

TEST_F(TrajectoryRecentering, KeepsTheMotionOfMoreThanOneTurn) {
  const VectorXd frames = frames_of(problem.states(point));
  VectorXd constraints(problem.constraint_count());
  const double before = problem.evaluate(point, constraints);
  const MatrixXd residuals = problem.residuals(point), coefficients = problem.coefficients(point);
  ASSERT_GT(coefficients.block(w, steps, 3, 1).norm(), 2 * M_PI);
  ASSERT_TRUE(problem.recenter(point, 3));
  EXPECT_LT((frames_of(problem.states(point)) - frames).lpNorm<Eigen::Infinity>(), 1e-13);
  EXPECT_NEAR(problem.evaluate(point, constraints), before, 1e-10 * before);
  EXPECT_TRUE(problem.coefficients(point).middleRows(w, 3).isZero(0));
  EXPECT_FALSE(problem.recenter(point, 3));

  // The equations of motion are the same, but torques about the base refer to other axes: of a rotation vector w,
  // FD = (J e_k, moment) with J = J_l(w) becomes (R e_k, moment) with R = exp([w]).
  const MatrixXd& after = problem.residuals(point);
  for (int i = 1; i <= steps; ++i) {
    const Vector3<double> rotation{coefficients(w, i), coefficients(w + 1, i), coefficients(w + 2, i)};
    const Matrix3<double> J = left_jacobian(rotation), R = rotation_of_vector(rotation);
    const double size = residuals.col(i - 1).norm();
    for (int j = 0; j < model.character().dof_count(); ++j)
      EXPECT_TRUE((j >= w && j <= w + 2) || std::abs(after(j, i - 1) - residuals(j, i - 1)) < 1e-11 * size) << j;
    for (int k = 0; k < 3; ++k) {
      double expected = 0;  // (J^T R r)_k
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) expected += J(a, k) * R(a, b) * after(w + b, i - 1);
      EXPECT_NEAR(residuals(w + k, i - 1), expected, 1e-11 * size);
    }
  }
}

// Point and reference rotations are all that a problem needs: a new one has the same states, the given one before the start
// too.
TEST_F(TrajectoryRecentering, CarriesOverToAnotherProblem) {
  ASSERT_TRUE(problem.recenter(point, 3));
  VectorXd constraints(problem.constraint_count()), others = constraints;
  const double objective = problem.evaluate(point, constraints);
  TrajectoryProblem other(model, TrajectoryBasis::nodal(steps));
  other.set_coefficients(problem.coefficients(point));
  other.set_references(problem.states(point));
  EXPECT_EQ(other.evaluate(other.point(), others), objective);
  EXPECT_EQ(others, constraints);
  EXPECT_EQ(frames_of(other.states(point)), frames_of(problem.states(point)));
}

TEST_F(TrajectoryRecentering, OfASplineKeepsItsStates) {
  TrajectoryProblem spline(model, TrajectoryBasis::spline(steps, 8));
  MatrixXd coefficients = spline.coefficients(spline.point());
  coefficients.rightCols(coefficients.cols() - 1) = random_vector(coefficients.size(), 3, 0.1)
                                                        .head(coefficients.size() - coefficients.rows())
                                                        .reshaped(coefficients.rows(), coefficients.cols() - 1);
  coefficients(2, 0) = coefficients(2, 2);
  coefficients(w, 4) = 3.5;
  coefficients(w, 5) = 2;
  spline.set_coefficients(coefficients);
  VectorXd x = spline.point();
  const VectorXd frames = frames_of(spline.states(x));
  const double effort = spline.values(x).effort;
  EXPECT_FALSE(spline.recenter(x, 10));
  ASSERT_TRUE(spline.recenter(x, 3));
  EXPECT_LT((frames_of(spline.states(x)) - frames).lpNorm<Eigen::Infinity>(), 1e-13);
  EXPECT_NEAR(spline.values(x).effort, effort, 1e-11 * effort);
}

// A chart with a cone keeps its reference rotation, which its limit refers to.
TEST(RecenteringOfBallJoints, KeepsTheirCoordinates) {
  CharacterBuilder builder("two boxes");
  const int base = builder.add_base({BaseChart::rotation_vector, ""});
  builder.add_mass(base, box_mass({0.1, 0.2, 0.3}, 1000));
  const int ball = builder.add_ball("ball", base, Eigen::Isometry3d(Eigen::Translation3d(0, 0, 0.5)), 2, 10);
  builder.add_mass(ball, box_mass({0.1, 0.1, 0.2}, 1000));
  for (int k = 0; k < 3; ++k) builder.actuate(ball - k);
  const TrajectoryModel model(above_a_floor(std::make_shared<const CharacterModel>(builder.build()), 4));
  TrajectoryProblem problem(model, TrajectoryBasis::nodal(4));
  MatrixXd coefficients = random_vector(9 * 5, 1, 0.5).reshaped(9, 5);
  coefficients.col(0).setZero();
  coefficients(3, 2) = 4;
  problem.set_coefficients(coefficients);
  VectorXd x = problem.point();
  const VectorXd frames = frames_of(problem.states(x));
  ASSERT_TRUE(problem.recenter(x, 3));
  EXPECT_TRUE(problem.coefficients(x).middleRows(3, 3).isZero(0));
  EXPECT_EQ(problem.coefficients(x).bottomRows(3), coefficients.bottomRows(3));
  EXPECT_LT((frames_of(problem.states(x)) - frames).lpNorm<Eigen::Infinity>(), 1e-13);
}

// An optimization that is interrupted by it goes on: the next trial is taken.
TEST_F(TrajectoryRecentering, LetsTheOptimizationContinue) {
  TrustRegionSqp solver(problem, {});
  TrustRegionSqpState state = solver.begin();
  TrustRegionSqpResult result = solver.advance(point, state, 20);
  ASSERT_GT(problem.coefficients(point).block(w, steps, 3, 1).norm(), 3);
  ASSERT_TRUE(problem.recenter(point, 3));
  result = solver.advance(point, state, 1);
  ASSERT_EQ(result.iterations.size(), 1u);
  EXPECT_EQ(result.iterations[0].step_length, 1);
  EXPECT_GE(result.iterations[0].ratio, 1e-4);
}

}  // namespace holo::articulated::trajectory_recentering_tests
