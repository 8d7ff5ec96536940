// Contact in forward steps: a block on a slope, balls that roll, characters that stand; the closed forms are in
// docs/articulated-dynamics.md#contact.
#include <gtest/gtest.h>

#include "character_motion.h"
#include "holo/sim/articulated/dynamics/contact_weights.h"
#include "holo/sim/articulated/dynamics/signed_distance_grid.h"
#include "surface_samples.h"

namespace holo::articulated::character_contact_tests {

using namespace test;

// Slides at tan(t) / ratio for any stiffness, sqrt(normal force / w_n) deep.
TEST(Contact, OfABlockOnASlopeSlidesAtItsSpeedAndDepth) {
  const CharacterModel model = procedural_character("block2");
  const double angle = 0.2;
  Obstacle slope;
  slope.frame.rotation = rotation_of_vector(Vector3<double>{0, angle, 0});
  for (const double ratio : {1.0, 10.0})
    for (const double stiffness : {3e3, 1e5}) {
      StepConstants step;
      step.normal_weight = stiffness;
      step.tangential_weight = ratio * stiffness;
      step.obstacles = &slope;
      step.obstacle_count = 1;
      const CharacterPose start{{0, 0.12}, {}};
      CharacterPose before = start;
      double speed = 0;
      const CharacterPose last = simulate(model, step, start, start, 400, [&](const CharacterPose& pose) {
        speed = std::hypot(pose.coordinates[0] - before.coordinates[0], pose.coordinates[1] - before.coordinates[1]) /
                step.time_step;
        before = pose;
      });
      EXPECT_NEAR(speed, std::tan(angle) / ratio, 1e-4 * std::tan(angle) / ratio) << ratio << " " << stiffness;
      // the sphere's center is 0.1 below the block's, its radius 0.02
      const Vector3<double> center{last.coordinates[0], 0, last.coordinates[1] - 0.1};
      const double depth = 0.02 - obstacle_distance(slope, center).distance;
      const double expected = std::sqrt(9.81 * std::cos(angle) / stiffness);
      EXPECT_NEAR(depth, expected, 1e-4 * expected) << ratio << " " << stiffness;
    }
}

// A ball that spins slips until its lowest point rests. Then it rolls at v = w r, and its angular momentum about a point at
// that height is what it was, since the force acts there. Without a lever friction has no moment: the ball spins in place.
TEST(Contact, OfASpinningBallEndsInRolling) {
  for (const bool rolls : {true, false}) {
    CharacterBuilder builder("ball");
    const int base = builder.add_base({BaseChart::planar, ""});
    builder.add_mass(base, sphere_mass(0.1, 1000));
    builder.add_contact_point(base, {0, 0, 0}, 0.1, rolls);
    const CharacterModel model = builder.build();
    const Obstacle floor;
    StepConstants step;
    step.inertia = InertiaRule::mid;
    step.obstacles = &floor;
    step.obstacle_count = 1;
    const double weight = model.total_mass() * 9.81, depth = 0.005;
    step.normal_weight = weight / (depth * depth);
    step.tangential_weight = 10 * step.normal_weight;
    const CharacterPose first{{0, 0.1 - depth, 0}, {}}, second{{0, 0.1 - depth, 1 * step.time_step}, {}};
    CharacterPose before = second;
    double speed = 0, spin = 0;
    simulate(model, step, first, second, 200, [&](const CharacterPose& pose) {
      speed = (pose.coordinates[0] - before.coordinates[0]) / step.time_step;
      spin = (pose.coordinates[2] - before.coordinates[2]) / step.time_step;
      before = pose;
    });
    const double inertia = 0.4 * 0.01;  // over mass
    if (rolls) {
      EXPECT_GT(spin, 0.1);
      EXPECT_NEAR(speed, spin * 0.1, 1e-4 * speed);
      EXPECT_NEAR(speed * 0.1 + inertia * spin, inertia * 1, 1e-3 * inertia);
    } else {
      EXPECT_NEAR(speed, 0, 1e-12);
      EXPECT_NEAR(spin, 1, 1e-9);
    }
  }
}

// A quadruped with springs in its joints falls on four feet and comes to rest at the depth that its weights are made for, also
// on a height field, a box and the grid of a mesh that are as flat.
TEST(Contact, OfAStandingCharacterIsAsDeepAsItsWeightsSay) {
  const CharacterModel legs = procedural_character("mammal18", {.stiffness = 400, .damping = 10});
  const std::vector<double> flat(16, 0.0);
  const SignedDistanceGrid block = bake_signed_distance(holo::test::box_surface({0.8, 0.6, 0.3}), 0.05, 0.05);
  Obstacle floors[4];
  floors[1].kind = ObstacleKind::height_field;
  floors[1].heights = flat.data();
  floors[1].columns = floors[1].rows = 4;
  floors[1].frame.origin = {-0.5, -0.5, 0};
  floors[2].kind = ObstacleKind::box;
  floors[2].size = {2, 2, 1};
  floors[2].frame.origin = {0, 0, -1};
  floors[3] = block.obstacle(Eigen::Isometry3d(Eigen::Translation3d(0, 0, -0.3)));
  for (const Obstacle& floor : floors) {
    StepConstants step;
    step.obstacles = &floor;
    step.obstacle_count = 1;
    const ContactWeights weights = contact_weights(legs.total_mass() * 9.81, 4);
    step.normal_weight = weights.normal;
    step.tangential_weight = weights.tangential;
    const CharacterPose last = simulate(legs, step, legs.rest(), legs.rest(), 200, [](const CharacterPose&) {});
    StateMemory<double> state(legs);
    state.set(legs, last);
    double squares = 0;
    for (const ContactPoint& foot : legs.contact_points()) {
      const double depth = foot.radius - (state.frames[std::size_t(foot.dof)] * foot.center)[2];
      EXPECT_GT(depth, 0.01);
      squares += depth * depth;
    }
    EXPECT_NEAR(std::sqrt(squares / 4), 0.02, 1e-5);
  }
}

}  // namespace holo::articulated::character_contact_tests
