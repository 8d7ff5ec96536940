#pragma once
// A block above a plane, for tests of the barrier and the friction of planes.

#include <gtest/gtest.h>

#include <cmath>

#include "holo/sim/dynamics/implicit_euler.h"
#include "scenes.h"

namespace holo::test {

inline constexpr double block_gravity = 9.81, block_reach = 1e-4;  // m/s^2; activation distance [m]

// A block of 0.1 m of a stiff material, `gap` [m] above the plane z = 0. Gravity is tilted by the angle about y, so that down
// the slope is x.
inline ElasticSceneDefinition block_on_slope(double angle, double friction, double gap = 0.991 * block_reach) {
  ElasticSceneDefinition scene;
  scene.time_step = 0.01;
  scene.gravity = {block_gravity * std::sin(angle), 0, -block_gravity * std::cos(angle)};
  scene.bodies = {hand_body(HandEnergy::stable, box_source({0.1, 0.1, 0.1}, 48), 1e7, 0.4)};
  scene.bodies[0].stiffness_damping = 0.002;
  scene.bodies[0].translation = {0, 0, gap};
  scene.contact.activation_distance = block_reach;
  scene.contact.planes.push_back({"ground", {0, 0, 0}, {0, 0, 1}, friction, {}});
  return scene;
}

struct BlockOnPlane {
  // Newton's method stops at a step of this length [m]: each end of a step has an error below it.
  static constexpr double tolerance = 1e-10;

  explicit BlockOnPlane(const ElasticSceneDefinition& definition)
      : scene(definition), state(initial_state(*scene.model)), integrator(scene, {.tolerance = tolerance}) {}
  void run(int steps) {
    for (int n = 0; n < steps; ++n) ASSERT_EQ(integrator.step(state).newton.status, NewtonStatus::converged) << state.step;
  }
  double mass() const {
    double sum = 0;
    for (const double each : scene.model->masses()) sum += each;
    return sum;
  }
  double weight() const { return mass() * block_gravity; }
  // The velocity of the center of mass [m/s].
  Vector3d velocity() const {
    Vector3d velocity = linear_momentum(*scene.model, state);
    for (double& entry : velocity) entry /= mass();
    return velocity;
  }
  ContactSummary contact() const { return summarize_contact(scene.contact, state.positions, state.time); }

  ElasticScene scene;
  ElasticState state;
  ImplicitEuler integrator;
};

}  // namespace holo::test
