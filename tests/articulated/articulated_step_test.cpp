// Forward steps: inverse and forward dynamics agree, failures have their diagnosis, steps do not allocate.
#include "holo/sim/articulated/dynamics/articulated_step.h"

#include <gtest/gtest.h>

#include "allocation_counter.h"
#include "character_motion.h"

namespace holo::articulated::articulated_step_tests {

using namespace test;

// Controls from the residual of known poses lead back to the newest of them.
TEST(ArticulatedStep, InvertsTheResidual) {
  for (const char* name : {"pendulum2", "hopper6", "chain5", "mammal18"})
    for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid}) {
      const CharacterModel model = procedural_character(name);
      StepConstants step;
      step.inertia = inertia;
      step.normal_weight = 2e4;
      step.tangential_weight = 2e5;
      const Obstacle floor = floor_at(0.01);
      step.obstacles = &floor;
      step.obstacle_count = 1;
      const ThreePoses poses = three_poses(model, 5, 0.05, 0.02, false);
      const Eigen::VectorXd controls = residual(model, step, poses);
      ASSERT_GT(controls.norm(), 1);
      ArticulatedStepper stepper(model);
      CharacterPose newest;
      const StepResult result = stepper.step(step, poses.previous, poses.current, controls, newest);
      ASSERT_TRUE(result.solved()) << name << ": " << describe(model, result);
      EXPECT_GT(result.iterations, 0);
      for (int j = 0; j < model.dof_count(); ++j)
        EXPECT_NEAR(newest.coordinates[std::size_t(j)], poses.newest.coordinates[std::size_t(j)], 1e-9) << name << " " << j;
    }
}

// A large step of a stiff contact converges slowly enough for a limit of one iteration to be reached.
TEST(ArticulatedStep, SaysWhyItDidNotConverge) {
  const CharacterModel model = procedural_character("hopper6");
  StepConstants step;
  step.normal_weight = 1e6;
  step.tangential_weight = 1e7;
  const Obstacle floor = floor_at(0.05);
  step.obstacles = &floor;
  step.obstacle_count = 1;
  ArticulatedStepper stepper(model);
  CharacterPose newest;
  const Eigen::VectorXd controls = Eigen::VectorXd::Zero(6);
  StepResult result = stepper.step(step, model.rest(), model.rest(), controls, newest, {1e-9, 1});
  EXPECT_EQ(result.status, StepStatus::iteration_limit);
  const std::string text = describe(model, result);
  EXPECT_EQ(text.substr(0, text.find(" is ")),
            "did not converge in 1 iterations: the residual of '" + model.dof_name(result.dof) + "'");
  EXPECT_NE(text.find("; try a smaller time step, or softer contact"), std::string::npos);

  CharacterPose bad = model.rest();
  bad.coordinates[0] = NAN;
  result = stepper.step(step, model.rest(), bad, controls, newest);
  EXPECT_EQ(result.status, StepStatus::not_finite);
  EXPECT_EQ(describe(model, result), "the residual of the first guess is not finite: check the states and the controls");
}

// A spinning chain hits the floor, and friction is up to 50 times the normal force: Newton's direction leads away from the
// solution in some steps, which are followed along growing shares of friction. Each step is then solved like the others.
TEST(ArticulatedStep, FollowsFrictionThroughImpacts) {
  const CharacterModel model = procedural_character("chain5");
  StepConstants step;
  step.time_step = 0.005;
  step.normal_weight = 3.7e5;
  step.tangential_weight = 3.7e6;
  const Obstacle floor = floor_at(0);
  step.obstacles = &floor;
  step.obstacle_count = 1;
  CharacterPose current = model.rest(), newest;
  current.coordinates[2] = 0.9;
  current.coordinates[std::size_t(model.dof("pitch_1"))] = 0.4;
  std::vector<double> velocity(14, 0.0);
  velocity[0] = velocity[2] = 1;
  velocity[3] = 6;
  velocity[5] = 4;
  velocity[std::size_t(model.dof("yaw_2"))] = -3;
  velocity[std::size_t(model.dof("pitch_3"))] = 2;
  CharacterPose previous = moved(current, velocity, -step.time_step);
  ArticulatedStepper stepper(model);
  int most_iterations = 0;
  for (int i = 0; i < 140; ++i) {
    const StepResult result = stepper.step(step, previous, current, Eigen::VectorXd::Zero(14), newest);
    ASSERT_TRUE(result.solved()) << "step " << i << ": " << describe(model, result);
    ASSERT_LT(result.residual, 1e-8);
    most_iterations = std::max(most_iterations, result.iterations);
    previous = current;
    current = newest;
    recenter(model, current, M_PI / 2);
  }
  EXPECT_GT(most_iterations, 30);
}

// At a pitch of 90 degrees the first and the third hinge of zyx have one axis: no torque of the second can stop a turn about
// the missing axis, and the Jacobian is singular.
TEST(ArticulatedStep, NamesTheSingularityOfAChart) {
  CharacterBuilder builder("body");
  builder.add_mass(builder.add_base({BaseChart::euler, "zyx"}), sphere_mass(0.1, 1000));
  const CharacterModel model = builder.build();
  StepConstants step;
  step.gravity = {0, 0, 0};
  CharacterPose pose = model.rest(), newest;
  pose.coordinates[4] = M_PI / 2;
  Eigen::VectorXd controls = Eigen::VectorXd::Zero(6);
  controls[5] = 1;
  ArticulatedStepper stepper(model);
  const StepResult result = stepper.step(step, pose, pose, controls, newest);
  EXPECT_FALSE(result.solved());
  const std::string text = describe(model, result);
  EXPECT_TRUE(result.status == StepStatus::singular || result.status == StepStatus::stalled) << text;
}

TEST(ArticulatedStep, ReportsRoundingWhereTheToleranceIsTooSmall) {
  const CharacterModel model = procedural_character("mammal18");
  ArticulatedStepper stepper(model);
  CharacterPose newest;
  const CharacterPose moved_pose = moved(model.rest(), random_velocity(model, 1, 1), 0.025);
  const StepResult result = stepper.step({}, model.rest(), moved_pose, Eigen::VectorXd::Zero(18), newest, {1e-300, 200});
  EXPECT_EQ(result.status, StepStatus::rounding);
  EXPECT_LT(result.residual, 1e-9);
  EXPECT_NE(describe(model, result).find("to what rounding errors allow"), std::string::npos);
}

TEST(ArticulatedStep, AllocatesNothingAfterTheFirst) {
  const CharacterModel model = procedural_character("mammal18", {{}, true});
  StepConstants step;
  step.normal_weight = 1e5;
  step.tangential_weight = 1e6;
  step.self_collision_weight = 1e4;
  const Obstacle floor = floor_at(0.01);
  step.obstacles = &floor;
  step.obstacle_count = 1;
  ArticulatedStepper stepper(model);
  const CharacterPose rest = model.rest(), current = moved(rest, random_velocity(model, 1, 1), step.time_step);
  const Eigen::VectorXd controls = Eigen::VectorXd::Zero(18);
  CharacterPose newest;
  ASSERT_TRUE(stepper.step(step, rest, current, controls, newest).solved());
  const long before = holo::test::allocation_count;
  const StepResult result = stepper.step(step, rest, current, controls, newest);
  const long after = holo::test::allocation_count;
  EXPECT_EQ(after, before);
  EXPECT_GT(result.iterations, 1);
  EXPECT_TRUE(!holo::test::counts_allocations || holo::test::an_allocation_counts());
}

// Kernels run over plain arrays on the stack.
TEST(ArticulatedKernels, RunOverFlatArraysWithoutAllocation) {
  const CharacterModel model = procedural_character("mammal18");
  constexpr int n = 18;
  Matrix3<double> references[1] = {identity3<double>()};
  double q[3][n] = {}, residual[n], D[3][n * n];
  RigidFrame<double> frames[3][n];
  Twist<double> twists[3][n];
  WrenchMatrix<double> inertial[n], applied[n];
  Matrix<double, 4, 4> moments[3][n];
  for (int j = 0; j < n; ++j) q[0][j] = 0.01 * j;
  const auto state = [&](int s) { return StepState<double>{{q[s], references}, {frames[s], twists[s]}}; };
  const StepStates<double> states{state(0), state(1), state(2)};
  const StepWorkspace<double> workspace{inertial, applied, moments[0], moments[1], moments[2]};
  const long before = holo::test::allocation_count;
  for (int s = 0; s < 3; ++s) character_kinematics(model.data(), state(s).state, state(s).kinematics);
  step_residual(model.data(), StepConstants{}, states, workspace, residual);
  step_jacobians(model.data(), StepConstants{}, states, workspace, D[0], D[1], D[2]);
  const long after = holo::test::allocation_count;
  EXPECT_EQ(after, before);
  EXPECT_GT(Eigen::Map<Eigen::VectorXd>(residual, n).norm(), 1);
  EXPECT_TRUE(!holo::test::counts_allocations || holo::test::an_allocation_counts());
}

}  // namespace holo::articulated::articulated_step_tests
