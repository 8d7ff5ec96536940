// Momenta, energies and contact forces of motions whose values are known.
#include "holo/sim/articulated/dynamics/character_measures.h"

#include <gtest/gtest.h>

#include "character_motion.h"

namespace holo::articulated::character_measures_tests {

using namespace test;
using Eigen::Vector3d;

CharacterMeasures measured(const CharacterModel& model, const StepConstants& step, const CharacterPose& before,
                           const CharacterPose& after) {
  StepMemory<double> memory(model);
  memory.current.set(model, before);
  memory.newest.set(model, after);
  return measure(model, step, memory.states());
}

// A box of 48 kg far from the origin that moves and spins about a principal axis: with the angle a of a step, L = I sin(a)/dt,
// and the kinetic energy of rotation is I (1 - cos a)/dt^2.
TEST(CharacterMeasures, AreThoseOfARigidBody) {
  CharacterBuilder builder("box");
  const Vector3d half(0.1, 0.2, 0.3);
  builder.add_mass(builder.add_base({BaseChart::rotation_vector, ""}), box_mass(half, 1000));
  const CharacterModel model = builder.build();
  StepConstants step;
  step.time_step = 0.02;
  CharacterPose before = model.rest();
  before.coordinates[0] = 30;
  before.coordinates[2] = 7;
  const CharacterPose after = moved(before, {2, -1, 0.5, 0, 3, 0}, step.time_step);
  const CharacterMeasures found = measured(model, step, before, after);
  const double mass = 48, I = mass / 3 * (0.01 + 0.09), angle = 3 * 0.02;
  EXPECT_LT((found.center_of_mass - Vector3d(30.04, -0.02, 7.01)).norm(), 1e-13);
  EXPECT_LT((found.linear_momentum - mass * Vector3d(2, -1, 0.5)).norm(), 1e-10);
  EXPECT_LT((found.angular_momentum - Vector3d(0, I * std::sin(angle) / 0.02, 0)).norm(), 1e-12);
  EXPECT_NEAR(found.kinetic_energy, 0.5 * mass * 5.25 + I * (1 - std::cos(angle)) / (0.02 * 0.02), 1e-9);
  EXPECT_NEAR(found.gravity_energy, mass * 9.81 * 7.01, 1e-9);
  EXPECT_GT(found.angular_momentum_scale, found.angular_momentum.norm());
}

// Momenta of a character that moves all its joints are the sums that the tests of free flight use.
TEST(CharacterMeasures, OfManyBodiesAreTheirSums) {
  const CharacterModel model = procedural_character("mammal18");
  StepConstants step;
  const CharacterPose before = model.rest(), after = moved(before, random_velocity(model, 4, 2), step.time_step);
  const CharacterMeasures found = measured(model, step, before, after);
  const Vector3d c0 = center_of_mass(model, before), c1 = center_of_mass(model, after);
  const double mass = model.total_mass();
  EXPECT_LT((found.center_of_mass - c1).norm(), 1e-14);
  EXPECT_LT((found.linear_momentum - mass * (c1 - c0) / step.time_step).norm(), 1e-11);
  const Vector3d spin = angular_momentum(model, before, after, step.time_step) - mass * c0.cross(c1) / step.time_step;
  ASSERT_GT(spin.norm(), 0.1);
  EXPECT_LT((found.angular_momentum - spin).norm(), 1e-11);
}

TEST(CharacterMeasures, HaveTheEnergiesOfJoints) {
  CharacterBuilder builder("pendulum");
  const int hinge = builder.add_hinge("hinge", -1, Eigen::Isometry3d::Identity(), Vector3d::UnitY());
  builder.add_mass(hinge, sphere_mass(0.1, 1000), Eigen::Isometry3d(Eigen::Translation3d(0, 0, -1)));
  builder.dof(hinge).stiffness = 7;
  builder.dof(hinge).spring_reference = 0.2;
  builder.dof(hinge).armature = 3;
  builder.limit(hinge, -1, 0.5, 40);
  const CharacterModel model = builder.build();
  StepConstants step;
  CharacterPose before = model.rest(), after = before;
  before.coordinates[0] = after.coordinates[0] = 0.7;
  const CharacterMeasures still = measured(model, step, before, after);
  EXPECT_EQ(still.kinetic_energy, 0);
  EXPECT_NEAR(still.spring_energy, 0.5 * 7 * 0.25, 1e-15);
  EXPECT_NEAR(still.limit_energy, 40 * 0.008, 1e-14);
  before.coordinates[0] = 0.7 - 1e-6;
  const double inertia = model.total_mass() * (1 + 0.4 * 0.01) + 3, rate = 1e-6 / step.time_step;
  EXPECT_NEAR(measured(model, step, before, after).kinetic_energy / (0.5 * inertia * rate * rate), 1, 1e-6);
}

// A block that slides in a slope: w_n d^2 along the normal, w_t d^2 v against the motion.
TEST(CharacterMeasures, ContactsHaveTheForcesOfTheLaw) {
  const CharacterModel model = procedural_character("block2");
  StepConstants step;
  step.normal_weight = 2e4;
  step.tangential_weight = 3e3;
  const Obstacle floors[] = {floor_at(0), floor_at(-1)};
  step.obstacles = floors;
  step.obstacle_count = 2;
  CharacterPose before = model.rest();
  before.coordinates = {0, 0.09};
  const CharacterPose after = moved(before, {0.4, 0}, step.time_step);
  StepMemory<double> memory(model);
  memory.current.set(model, before);
  memory.newest.set(model, after);
  std::vector<TouchingPoint> contacts(5);
  find_contacts(model, step, memory.states(), contacts);
  ASSERT_EQ(contacts.size(), 1u);
  const double depth = 0.12 - 0.09;
  EXPECT_EQ(contacts[0].point, 0);
  EXPECT_EQ(contacts[0].obstacle, 0);
  EXPECT_NEAR(contacts[0].depth, depth, 1e-15);
  EXPECT_NEAR(contacts[0].normal_force, 2e4 * depth * depth, 1e-10);
  EXPECT_NEAR(contacts[0].friction_force, 3e3 * depth * depth * 0.4, 1e-11);
  EXPECT_LT((contacts[0].force - Vector3d(-3e3 * 0.4, 0, 2e4) * depth * depth).norm(), 1e-10);
  EXPECT_LT((contacts[0].place - Vector3d(0.01, 0, 0.09 - 0.12)).norm(), 1e-15);
}

}  // namespace holo::articulated::character_measures_tests
