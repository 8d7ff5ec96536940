// Steps with forces at their start: closed forms of one degree of freedom, the mass matrix, and where they become unstable.
#include "holo/sim/articulated/dynamics/explicit_step.h"

#include "character_motion.h"
#include "holo/core/error.h"
#include "holo/sim/articulated/dynamics/character_measures.h"
#include "holo/sim/articulated/dynamics/mass_matrix.h"

namespace holo::articulated::explicit_step_tests {

using namespace test;
using Eigen::VectorXd;

RowMatrix mass_of(const CharacterModel& model, const CharacterPose& pose) {
  StateMemory<double> state(model);
  state.set(model, pose);
  std::vector<Matrix<double, 4, 4>> moments(std::size_t(model.dof_count()));
  RowMatrix M(model.dof_count(), model.dof_count());
  mass_matrix(model.data(), state.view(), moments.data(), M.data());
  return M;
}

// v^T M v / 2 is the energy of two poses that are a short time apart.
TEST(MassMatrix, GivesTheKineticEnergyOfAnyVelocity) {
  const double time_step = 1e-6;
  for (const char* name : {"pendulum2", "hopper6", "chain5", "humanoid"}) {
    const CharacterModel model = procedural_character(
        name, {.adjust = [](CharacterBuilder& builder) { builder.dof(builder.so_far().dof_count() - 1).armature = 0.3; }});
    const CharacterPose pose = three_poses(model, 3, 0.4, 0, true).current;
    const std::vector<double> velocity = random_velocity(model, 5, 1);
    const Eigen::Map<const VectorXd> v(velocity.data(), model.dof_count());
    StepMemory<double> memory(model);
    memory.newest.set(model, moved(pose, velocity, time_step / 2));
    memory.current.set(model, moved(pose, velocity, -time_step / 2));
    StepConstants step;
    step.time_step = time_step;
    const RowMatrix M = mass_of(model, pose);
    EXPECT_NEAR(v.dot(M * v) / 2, measure(model, step, memory.states()).kinetic_energy, 1e-7 * v.dot(M * v)) << name;
    EXPECT_EQ(M, RowMatrix(M.transpose())) << name;
  }
}

// q+ = 2 q0 - q- + dt^2 (u - m g l sin q0) / I.
TEST(ExplicitStep, OfAPendulumIsItsClosedForm) {
  const CharacterModel model = procedural_character("pendulum1");
  StepConstants step;
  step.time_step = 0.05;
  CharacterPose previous = model.rest(), current = previous, newest;
  previous.coordinates[0] = 0.7, current.coordinates[0] = 0.85;
  const double I = mass_of(model, current)(0, 0), controls = 0.4;
  EXPECT_NEAR(I, 1.0 / 3, 0.02);  // a rod of 1 m and 1 kg with round ends
  ExplicitStepper stepper(model);
  ASSERT_TRUE(stepper.step(step, previous, current, VectorXd::Constant(1, controls), newest));
  const double expected = 1.0 + 0.05 * 0.05 * (controls - 9.81 * 0.5 * std::sin(0.85)) / I;
  EXPECT_NEAR(newest.coordinates[0], expected, 1e-14);
}

// Two rods have forces of Coriolis: halving the time step halves the distance from a motion of very short implicit steps.
TEST(ExplicitStep, ConvergesToTheImplicitMotion) {
  const CharacterModel model = procedural_character("pendulum2");
  const std::vector<double> velocity{3.0, -4.0};
  CharacterPose start = model.rest();
  start.coordinates = {1.2, -0.6};
  const auto motion = [&](double time_step, bool is_implicit) {
    StepConstants step;
    step.time_step = time_step;
    step.inertia = InertiaRule::mid;
    const int steps = int(std::lround(0.2 / time_step));
    const CharacterPose before = moved(start, velocity, -time_step);
    if (is_implicit) return simulate(model, step, before, start, steps, [](const CharacterPose&) {});
    ExplicitStepper stepper(model);
    CharacterPose previous = before, current = start, newest;
    for (int i = 0; i < steps; ++i) {
      EXPECT_TRUE(stepper.step(step, previous, current, VectorXd::Zero(2), newest));
      std::swap(previous, current);
      std::swap(current, newest);
    }
    return current;
  };
  const auto distance = [](const CharacterPose& a, const CharacterPose& b) {
    return std::hypot(a.coordinates[0] - b.coordinates[0], a.coordinates[1] - b.coordinates[1]);
  };
  const CharacterPose exact = motion(5e-5, true);
  const double coarse = distance(motion(4e-3, false), exact), fine = distance(motion(2e-3, false), exact);
  EXPECT_LT(coarse, 0.1);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.1);
}

// A block that slides on its sphere: its own contact carries it, and friction w_t d^2 v slows it down. With forces at the start
// v+ = (1 - dt w_t d^2 / m) v, which grows beyond dt = 2 m / (w_t d^2); the implicit v+ = v / (1 + dt w_t d^2 / m) never does.
TEST(ExplicitStep, BecomesUnstableWhereTheImplicitOneDoesNot) {
  const CharacterModel model = procedural_character("block2");
  Obstacle floor{};
  StepConstants step;
  step.obstacles = &floor;
  step.obstacle_count = 1;
  step.normal_weight = model.total_mass() * 9.81 / (0.02 * 0.02);
  step.tangential_weight = 10 * step.normal_weight;
  const double rate = step.tangential_weight * 0.02 * 0.02 / model.total_mass();  // 98.1/s
  CharacterPose current = model.rest();
  current.coordinates = {0, 0.1};  // the sphere is at the height 0 and has a radius of 2 cm
  for (const double time_step : {0.005, 0.03}) {
    step.time_step = time_step;
    const CharacterPose previous = moved(current, {1, 0}, -time_step);
    CharacterPose newest;
    ExplicitStepper stepper(model);
    ASSERT_TRUE(stepper.step(step, previous, current, VectorXd::Zero(2), newest));
    EXPECT_NEAR(newest.coordinates[0] / time_step, 1 - time_step * rate, 1e-12);
    EXPECT_NEAR(newest.coordinates[1], 0.1, 1e-15);
    ArticulatedStepper implicit(model);
    ASSERT_TRUE(implicit.step(step, previous, current, VectorXd::Zero(2), newest).solved());
    EXPECT_NEAR(newest.coordinates[0] / time_step, 1 / (1 + time_step * rate), 1e-9);
  }
  EXPECT_GT(0.03 * rate, 2);
}

TEST(ExplicitStep, KeepsThePoseOfSpringsAndLimitsInBalance) {
  const CharacterModel model = procedural_character("pendulum1", {.stiffness = 7, .damping = 2});
  StepConstants step;
  step.gravity = {0, 0, 0};
  CharacterPose previous = model.rest(), current = previous, newest;
  previous.coordinates[0] = 0.1, current.coordinates[0] = 0.2;
  const double I = mass_of(model, current)(0, 0);
  ExplicitStepper stepper(model);
  ASSERT_TRUE(stepper.step(step, previous, current, VectorXd::Zero(1), newest));
  const double force = -7 * 0.2 - 2 * 0.1 / step.time_step;
  EXPECT_NEAR(newest.coordinates[0], 0.3 + step.time_step * step.time_step * force / I, 1e-13);
}

TEST(ExplicitStepBadInput, NeedsPosesWithTheSameReferences) {
  const CharacterModel model = procedural_character("chain5");
  CharacterPose previous = model.rest(), current = previous, newest;
  previous.references[0] = rotation_of_vector(Vector3<double>{0.1, 0, 0});
  ExplicitStepper stepper(model);
  try {
    stepper.step({}, previous, current, VectorXd::Zero(14), newest);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::internal);
    EXPECT_STREQ(error.what(), "an explicit time step needs two poses with the same reference rotations.");
  }
}

}  // namespace holo::articulated::explicit_step_tests
