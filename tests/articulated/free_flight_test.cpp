// Characters in free flight: the center of mass is ballistic, momenta are conserved or decay as derived in
// docs/articulated-dynamics.md#residual.
#include <gtest/gtest.h>

#include "character_motion.h"

namespace holo::articulated::free_flight_tests {

using namespace test;

const StepOptions tight{1e-11, 200};

StepConstants flight(InertiaRule inertia, double time_step = 0.025) {
  StepConstants step;
  step.inertia = inertia;
  step.time_step = time_step;
  return step;
}

// 40 steps of a mammal that moves all its joints: c_i = c_0 + i (c_1 - c_0) + i (i - 1) / 2 g dt^2.
TEST(FreeFlight, OfTheCenterOfMassIsBallistic) {
  const CharacterModel model = procedural_character("mammal18");
  for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid}) {
    const StepConstants step = flight(inertia);
    const CharacterPose first = model.rest(), second = moved(first, random_velocity(model, 1, 1), step.time_step);
    const Eigen::Vector3d c0 = center_of_mass(model, first), c1 = center_of_mass(model, second);
    int i = 1;
    double largest = 0, traveled = 0;
    simulate(
        model, step, first, second, 40,
        [&](const CharacterPose& pose) {
          ++i;
          const Eigen::Vector3d fall(0, 0, -9.81 * step.time_step * step.time_step * i * (i - 1) / 2);
          const Eigen::Vector3d c = center_of_mass(model, pose);
          largest = std::max(largest, (c - c0 - i * (c1 - c0) - fall).norm());
          traveled = (c - c0).norm();
        },
        tight);
    EXPECT_EQ(i, 41);
    EXPECT_GT(traveled, 3);
    EXPECT_LT(largest, 1e-12);
  }
}

// A chain without gravity.
TEST(FreeFlight, ConservesLinearMomentumAndWithMidAngularMomentum) {
  const CharacterModel model = procedural_character("chain5", {{}, false, 0});
  for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid}) {
    StepConstants step = flight(inertia);
    step.gravity = {0, 0, 0};
    const CharacterPose first = model.rest(), second = moved(first, random_velocity(model, 2, 1), step.time_step);
    const Eigen::Vector3d linear = (center_of_mass(model, second) - center_of_mass(model, first)) / step.time_step;
    const Eigen::Vector3d angular = angular_momentum(model, first, second, step.time_step);
    ASSERT_GT(angular.norm(), 0.3);
    CharacterPose before = second;
    double linear_error = 0, angular_error = 0;
    simulate(
        model, step, first, second, 40,
        [&](const CharacterPose& pose) {
          const Eigen::Vector3d velocity = (center_of_mass(model, pose) - center_of_mass(model, before)) / step.time_step;
          linear_error = std::max(linear_error, (velocity - linear).norm());
          angular_error = std::max(angular_error, (angular_momentum(model, before, pose, step.time_step) - angular).norm());
          before = pose;
        },
        tight);
    EXPECT_LT(linear_error, 1e-12);
    if (inertia == InertiaRule::mid)
      EXPECT_LT(angular_error, 1e-12 * (1 + angular.norm()));
    else
      EXPECT_GT(angular_error, 1e-6);
  }
}

// A body that spins at 5 rad/s keeps w with 1 / w^2 = 1 / 25 + 2 t dt, by dw/dt = -w^3 dt; with mid all of it.
TEST(FreeFlight, SpinDecaysAsDerivedWithEndAndStaysWithMid) {
  CharacterBuilder builder("spinning box");
  builder.add_mass(builder.add_base({BaseChart::rotation_vector, ""}), box_mass({0.1, 0.2, 0.3}, 1000));
  const CharacterModel model = builder.build();
  for (const double spin : {2.0, 5.0}) {
    for (const InertiaRule inertia : {InertiaRule::end, InertiaRule::mid}) {
      StepConstants step = flight(inertia);
      step.gravity = {0, 0, 0};
      CharacterPose first = model.rest();
      const CharacterPose second = moved(first, {0, 0, 0, 0, 0, spin}, step.time_step);
      CharacterPose before = second;
      double kept = 0;
      simulate(model, step, first, second, 40, [&](const CharacterPose& pose) {
        kept = (pose.coordinates[5] - before.coordinates[5]) / step.time_step;
        before = pose;
      });
      const double decayed = 1 / std::sqrt(1 / (spin * spin) + 2 * 40 * step.time_step * step.time_step);
      EXPECT_NEAR(kept, inertia == InertiaRule::end ? decayed : spin, inertia == InertiaRule::end ? 0.02 * decayed : 1e-10);
    }
  }
}

// Recentering between steps does not change the motion, beyond rounding.
TEST(FreeFlight, IsTheSameWithRecentering) {
  const CharacterModel model = procedural_character("mammal18");
  const StepConstants step = flight(InertiaRule::mid);
  std::vector<double> velocity(18, 0.3);
  velocity[4] = 6;
  const CharacterPose first = model.rest(), second = moved(first, velocity, step.time_step);
  const CharacterPose direct = simulate(
      model, step, first, second, 20, [](const CharacterPose&) {}, tight);
  ArticulatedStepper stepper(model);
  CharacterPose previous = first, current = second, newest;
  int recentered = 0;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(stepper.step(step, previous, current, Eigen::VectorXd::Zero(18), newest, tight).solved());
    previous = current;
    current = newest;
    recentered += recenter(model, current, 0.8) ? 1 : 0;
  }
  EXPECT_GE(recentered, 2);
  StateMemory<double> a(model), b(model);
  a.set(model, direct);
  b.set(model, current);
  for (std::size_t k = 0; k < a.frames.size(); ++k)
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(a.frames[k].rotation[i], b.frames[k].rotation[i], 1e-10);
}

}  // namespace holo::articulated::free_flight_tests
