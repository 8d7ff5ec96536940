#pragma once
// Scenes of bodies that collide, and what tests ask of their motion.

#include <gtest/gtest.h>

#include "dynamics/contact/mesh_barrier.h"
#include "dynamics/contact/mesh_friction.h"
#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/sim/intersection/surface_intersections.h"
#include "scenes.h"

namespace holo::test {

// A motion by `displacement` [m] within `duration` from `start` on [s].
inline MotionDefinition linear_motion(const Vector3d& displacement, double duration, double start = 0) {
  MotionDefinition motion;
  motion.kind = MotionDefinition::Kind::linear;
  motion.displacement = displacement;
  motion.start = start;
  motion.duration = duration;
  return motion;
}

// A block with its lowest corner at `corner` [m].
inline ElasticBodyDefinition block_at(const char* name, const Vector3d& corner, const Vector3d& size, int elements,
                                      double youngs_modulus) {
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source(size, elements), youngs_modulus, 0.4);
  body.name = name;
  body.translation = corner;
  return body;
}

struct CollidingBodies {
  explicit CollidingBodies(const ElasticSceneDefinition& definition, double tolerance = 1e-9)
      : scene(definition), state(initial_state(*scene.model)), integrator(scene, {.tolerance = tolerance}) {}

  // Each step converges and leaves no intersection.
  void run(int steps) {
    for (int n = 0; n < steps; ++n) {
      const ElasticStepResult result = integrator.step(state);
      ASSERT_EQ(result.newton.status, NewtonStatus::converged) << state.step << ": " << result.newton.diagnosis;
      ASSERT_EQ(intersections(), 0u) << state.step;
    }
  }
  // Of all surfaces, those of obstacles included.
  std::size_t intersections() const {
    const ContactSurface& surface = *scene.contact.surface;
    const Eigen::VectorXd points = surface.points(state.positions);
    if (!scene.contact.mesh) return found_in(points, surface.triangles);
    return found_in(scene.contact.mesh->with_obstacles(points, state.time), scene.contact.mesh->mesh->triangles);
  }
  // The mean velocity [m/s] and mass [kg] of a body, and its center [m].
  Vector3d velocity(std::size_t body) const { return mean(body, state.velocities); }
  Vector3d center(std::size_t body) const { return mean(body, state.positions); }
  double mass(std::size_t body) const {
    double sum = 0;
    each_vertex(body, [&](int v) { sum += scene.model->masses()[static_cast<std::size_t>(v)]; });
    return sum;
  }
  // Kinetic, elastic, gravitational and barrier energy [J].
  double energy() const {
    MeshBarrier barrier(scene.contact.mesh, scene.contact.barrier);
    return energies(*scene.model, scene.gravity, state).total() +
           barrier.energy(scene.contact.surface->points(state.positions));
  }

  // The next step has no start that contact allows, says so, and leaves the state as it is.
  void expect_no_start(const std::string& reason) {
    const Eigen::VectorXd before = state.positions;
    const ElasticStepResult result = integrator.step(state);
    EXPECT_EQ(result.newton.status, NewtonStatus::infeasible_start);
    EXPECT_NE(result.newton.diagnosis.find(reason), std::string::npos) << result.newton.diagnosis;
    EXPECT_EQ(state.positions, before);
  }

  ElasticScene scene;
  ElasticState state;
  ImplicitEuler integrator;

 private:
  static std::size_t found_in(const Eigen::VectorXd& x, const std::vector<std::array<int, 3>>& triangles) {
    return find_intersections({{x.data(), static_cast<std::size_t>(x.size())}, triangles, {}}).size();
  }
  template <class Visit>
  void each_vertex(std::size_t body, Visit visit) const {
    const ElasticBody& b = scene.model->bodies()[body];
    for (int v = b.first_vertex; v < b.first_vertex + b.vertex_count; ++v) visit(v);
  }
  Vector3d mean(std::size_t body, const Eigen::VectorXd& values) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    each_vertex(body, [&](int v) { sum += scene.model->masses()[static_cast<std::size_t>(v)] * values.segment<3>(3 * v); });
    sum /= mass(body);
    return {sum[0], sum[1], sum[2]};
  }
};

}  // namespace holo::test
