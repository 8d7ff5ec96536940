// Motions in windows: executed states and their equations of motion, what windows see, and the limit of one window.
#include "holo/sim/articulated/trajectory/receding_horizon.h"

#include <numbers>

#include "holo/core/error.h"
#include "trajectory_samples.h"

namespace holo::articulated::receding_horizon_tests {

using namespace test;
using Eigen::MatrixXd, Eigen::VectorXd;

RecedingHorizonOptions windows_of(int window, int executed, int segment, int iterations = 400) {
  RecedingHorizonOptions options;
  options.window_steps = window;
  options.executed_steps = executed;
  options.segment_length = segment;
  options.solver.max_iterations = iterations;
  options.solver.metric = TrustRegionMetric::identity;
  return options;
}

std::vector<double> coordinates_until(const TrajectoryStates& states, int last) {
  return {states.coordinates(-1), states.coordinates(last) + states.model().dof_count()};
}

// The problem of all single states at a motion.
TrajectoryValues values_of(const TrajectoryModel& model, const TrajectoryStates& states) {
  TrajectoryProblem problem(model, TrajectoryBasis::nodal(model.steps()));
  MatrixXd coefficients(model.character().dof_count(), model.steps() + 1);
  for (int i = 0; i <= model.steps(); ++i)
    coefficients.col(i) = Eigen::Map<const VectorXd>(states.coordinates(i), coefficients.rows());
  problem.set_coefficients(coefficients);
  problem.set_references(states);
  return problem.values(problem.point());
}

TEST(RecedingHorizon, OfOneWindowIsTheOptimizationOfTheWholeMotion) {
  const TrajectoryModel model = walk("hopper6", 20);
  RecedingHorizon horizon(model, windows_of(50, 5, 5, 60));
  ASSERT_TRUE(horizon.advance());
  EXPECT_EQ(horizon.executed_steps(), 20);
  EXPECT_FALSE(horizon.advance());
  ASSERT_EQ(horizon.windows().size(), 1u);
  TrajectoryProblem whole(model, TrajectoryBasis::spline(20, 5));
  VectorXd point = whole.point();
  const TrustRegionSqpResult result = TrustRegionSqp(whole, windows_of(50, 5, 5, 60).solver).solve(point);
  EXPECT_EQ(horizon.windows()[0].iterations, int(result.iterations.size()));
  EXPECT_EQ(horizon.windows()[0].status, result.status);
  EXPECT_EQ(coordinates_until(horizon.states(), 20), coordinates_until(whole.states(point), 20));
}

TEST(RecedingHorizon, ExecutedStepsSatisfyTheEquationsOfMotionAsTheirWindowsDo) {
  const TrajectoryModel model = walk("hopper6", 12);
  for (const int segment : {1, 4}) {
    RecedingHorizon horizon(model, windows_of(6, 4, segment, 100));
    double largest = 0;
    while (horizon.advance()) {
      const RecedingHorizonWindow& window = horizon.windows().back();
      if (segment == 1) {
        EXPECT_LT(window.values.full_violation, 1e-5) << window.start << ": " << window.diagnosis;
      }
      EXPECT_LE(window.executed_violation, window.values.full_violation);
      largest = std::max(largest, window.executed_violation);
    }
    EXPECT_EQ(horizon.windows().size(), 3u);  // from 0, 4, and 8, which reaches the end
    const TrajectoryValues motion = values_of(model, horizon.states());
    EXPECT_EQ(motion.full_violation, largest);
    if (segment == 1) {
      EXPECT_LT(motion.full_violation, 1e-5);
    } else {
      EXPECT_GT(motion.full_violation, 1e-2);
    }
  }
}

TEST(RecedingHorizon, NeverChangesAnExecutedState) {
  const TrajectoryModel model = walk("hopper6", 16);
  RecedingHorizon horizon(model, windows_of(8, 3, 4, 20));
  std::vector<double> before = coordinates_until(horizon.states(), 0);
  while (horizon.advance()) {
    std::vector<double> now = coordinates_until(horizon.states(), horizon.executed_steps());
    ASSERT_GT(now.size(), before.size());
    EXPECT_TRUE(std::equal(before.begin(), before.end(), now.begin()));
    before = now;
  }
  EXPECT_EQ(horizon.executed_steps(), 16);
}

TEST(RecedingHorizon, CountsItsWork) {
  const TrajectoryModel model = walk("hopper6", 10);
  RecedingHorizon horizon(model, windows_of(4, 4, 1, 5));
  while (horizon.advance()) {
  }
  std::int64_t work = 0;
  for (const RecedingHorizonWindow& window : horizon.windows()) {
    EXPECT_GT(window.iterations, 0);
    EXPECT_LE(window.iterations, 5);
    work += window.iterations * window.steps;
  }
  EXPECT_EQ(horizon.windows().back().steps, 2);  // 4 + 4 + 2
  EXPECT_EQ(horizon.work(), work);
}

// A pendulum that may follow a target without effort does so at all times. Its angle is a cubic of time, which is at rest at
// the start: the splines of windows have it, too.
double angle_at(double step) { return 0.01 * step * step - 3e-4 * step * step * step; }
double angle_slope(double step) { return 0.02 * step - 9e-4 * step * step; }  // by the step
Eigen::Vector3d center_at_angle(double angle) { return {-0.5 * std::sin(angle), 0, -0.5 * std::cos(angle)}; }

TrajectoryModel following_pendulum(int steps) {
  TrajectoryModel::Definition definition;
  definition.character = shared_character("pendulum1", BaseChart::planar);
  definition.steps = steps;
  definition.start = definition.before = definition.character->rest();
  definition.effort_weight = 0;
  add_loss(definition, "track_center_of_mass", "{body: pendulum1, target: [0, 0, -0.5]}");
  MatrixXd target(3, steps + 1);
  for (int i = 0; i <= steps; ++i) target.col(i) = center_at_angle(angle_at(i));
  definition.data.signals[0] = target;
  return TrajectoryModel(std::move(definition));
}

TEST(RecedingHorizon, SeesTheSignalsOfEachTime) {
  const TrajectoryModel model = following_pendulum(16);
  for (const int segment : {1, 4}) {
    RecedingHorizon horizon(model, windows_of(8, 4, segment));
    while (horizon.advance()) {
    }
    for (int i = 1; i <= 16; ++i) EXPECT_NEAR(horizon.states().coordinates(i)[0], angle_at(i), 1e-4) << segment << ": " << i;
  }
}

// The second window starts from the rest of the first one's plan, which has no loss left, and from there on it comes to rest.
TEST(RecedingHorizon, ContinuesThePlanOfTheWindowBefore) {
  const TrajectoryModel model = following_pendulum(16);
  for (const int segment : {1, 4}) {
    RecedingHorizon horizon(model, windows_of(8, 4, segment));
    horizon.advance();
    horizon.advance();
    double expected = 0;
    for (int i = 9; i <= 12; ++i) {
      const double s = (i - 8) / 4.0, tangent = 4 * angle_slope(8);
      const double angle = angle_at(8) + (segment == 1 ? 0 : s * (1 - s) * (1 - s) * tangent);
      expected += 0.5 / 1e-4 * (center_at_angle(angle) - center_at_angle(angle_at(i))).squaredNorm();
    }
    EXPECT_NEAR(horizon.windows()[1].start_values.losses, expected, 1e-3 * expected) << segment;
    EXPECT_LT(horizon.windows()[1].values.losses, 1e-3 * expected) << segment;
  }
}

// A turn of a free body in several windows: charts are moved, and the motion goes on where the last window ended.
// A turning mammal in windows of which so many steps are executed.
void expect_charts_to_move(int executed_steps) {
  TrajectoryModel::Definition definition;
  definition.character = shared_character("mammal18", BaseChart::rotation_vector);
  definition.steps = 18;
  definition.step.gravity = {0, 0, 0};
  definition.step.inertia = InertiaRule::mid;
  definition.start = definition.before = definition.character->rest();
  definition.before.coordinates[std::size_t(definition.character->dof("base_rotation_z"))] -= 0.3;
  const TrajectoryModel model(std::move(definition));
  RecedingHorizonOptions options = windows_of(6, executed_steps, 1, 60);
  options.recentering = 1;
  RecedingHorizon horizon(model, options);
  while (horizon.advance()) EXPECT_EQ(horizon.windows().back().status, TrustRegionSqpStatus::converged);
  EXPECT_LT(values_of(model, horizon.states()).full_violation, 1e-5);
  const auto turn = [&](int state) {
    const RigidFrame<double>& frame =
        horizon.states().view(state).kinematics.frames[std::size_t(model.character().dof("base_rotation_z"))];
    return std::remainder(std::atan2(frame.rotation(1, 0), frame.rotation(0, 0)), 2 * std::numbers::pi);
  };
  double sum = 0;
  for (int i = 1; i <= 18; ++i) {
    const double change = std::remainder(turn(i) - turn(i - 1), 2 * std::numbers::pi);
    EXPECT_GT(change, 0.05) << i;
    EXPECT_LT(change, 0.35) << i;
    sum += change;
    // At most the limit and the turn in a window.
    EXPECT_LT(std::abs(horizon.states().coordinates(i)[model.character().dof("base_rotation_z")]), 1 + 3 * 0.35) << i;
  }
  EXPECT_GT(sum, 2.5);
}

TEST(RecedingHorizon, MovesChartsOnTheWay) {
  expect_charts_to_move(3);
  expect_charts_to_move(1);  // the state before a window's start is then one whose chart the last window may have moved
}

// The end of the whole motion is none of its windows.
TEST(RecedingHorizon, KnowsNoEndOfTheWholeMotion) {
  TrajectoryModel::Definition definition = walk("hopper6", 12).definition();
  definition.end = definition.start;
  definition.end.coordinates[0] += 0.2;
  const TrajectoryModel ending(definition), plain = walk("hopper6", 12);
  RecedingHorizon with(ending, windows_of(6, 3, 1, 20)), without(plain, windows_of(6, 3, 1, 20));
  while (with.advance() && without.advance()) {
  }
  for (int i = 1; i <= 12; ++i) EXPECT_EQ(with.states().coordinates(i)[0], without.states().coordinates(i)[0]) << i;
}

TEST(RecedingHorizonBadInput, NamesOptionsOutOfRange) {
  const TrajectoryModel model = walk("hopper6", 4);
  const auto refusal = [&](int window, int executed, int segment) {
    try {
      RecedingHorizon(model, windows_of(window, executed, segment));
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::internal);
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(refusal(5, 6, 2),
            "a receding horizon has windows of 5 steps, of which 6 are executed, with segments of 2; windows and segments need "
            "at least 1, and from 1 to all steps of a window are executed.");
  EXPECT_NE(refusal(0, 0, 2), "nothing was thrown");
  EXPECT_NE(refusal(5, 0, 2), "nothing was thrown");
  EXPECT_NE(refusal(5, 5, 0), "nothing was thrown");
}

}  // namespace holo::articulated::receding_horizon_tests
