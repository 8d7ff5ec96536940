// Time steps whose Newton directions come from conjugate gradients with the step's first factorizations.

#include <gtest/gtest.h>

#include <algorithm>

#include "holo/sim/dynamics/implicit_euler.h"
#include "scenes.h"

namespace holo::test {
namespace {

constexpr double reuse_activation_distance = 0.004;  // [m]

// A soft block that falls onto the ground on an edge, with friction.
ElasticScene reuse_block(int lag_updates = 0) {
  ElasticBodyDefinition body = hand_body(HandEnergy::stable, box_source({0.3, 0.3, 0.3}, 700), 2e4);
  body.rotation_axis = {0, 1, 0};
  body.rotation_angle = 0.6;
  body.translation = {0, 0, 0.18};
  body.stiffness_damping = 0.003;
  ElasticSceneDefinition scene;
  scene.time_step = 0.01;
  scene.bodies = {body};
  scene.contact.activation_distance = reuse_activation_distance;
  scene.contact.stick_speed = 0.01;
  scene.contact.lag_updates = lag_updates;
  scene.contact.planes.push_back({"ground", {0, 0, 0}, {0, 0, 1}, 0.4, {}});
  return ElasticScene(scene);
}

struct ReuseMotion {
  ElasticState state;
  int factorizations = 0, iterations = 0;
};

ReuseMotion move_with(const ElasticScene& scene, NewtonLinearSolver linear_solver, int steps, int restart = -1) {
  const NewtonOptions options{.tolerance = 1e-9, .linear_solver = linear_solver};
  auto integrator = std::make_unique<ImplicitEuler>(scene, options);
  ReuseMotion motion{initial_state(*scene.model)};
  for (int step = 0; step < steps; ++step) {
    if (step == restart) {
      motion.state = deserialize(*scene.model, serialize(motion.state));
      integrator = std::make_unique<ImplicitEuler>(scene, options);
    }
    const ElasticStepResult result = integrator->step(motion.state);
    EXPECT_EQ(result.newton.status, NewtonStatus::converged) << result.newton.diagnosis;
    motion.factorizations += result.newton.factorizations;
    motion.iterations += static_cast<int>(result.newton.iterations.size());
  }
  return motion;
}

constexpr int steps_into_contact = 12;

TEST(FactorReuseSteps, MoveAsWithAFactorizationForEachDirection) {
  for (int lag_updates : {0, 2}) {
    const ElasticScene scene = reuse_block(lag_updates);
    const ReuseMotion factorized = move_with(scene, NewtonLinearSolver::factorize, steps_into_contact);
    const ReuseMotion reused = move_with(scene, NewtonLinearSolver::reuse, steps_into_contact);
    double lowest = 1;  // [m]
    for (Eigen::Index z = 2; z < factorized.state.positions.size(); z += 3)
      lowest = std::min(lowest, factorized.state.positions[z]);
    EXPECT_LT(lowest, reuse_activation_distance) << "no contact";
    EXPECT_GE(factorized.factorizations, factorized.iterations);
    EXPECT_LT(reused.factorizations, 0.6 * factorized.factorizations);
    const double difference = (factorized.state.positions - reused.state.positions).lpNorm<Eigen::Infinity>();
    EXPECT_LT(difference, 1e-9 * scene.model->length());
  }
}

// The first direction of a step has a factorization of its own: nothing of the step before is in the state.
TEST(FactorReuseSteps, AResumedMotionHasTheSameBits) {
  const ElasticScene scene = reuse_block();
  const ReuseMotion whole = move_with(scene, NewtonLinearSolver::reuse, steps_into_contact);
  for (int restart : {1, 7, 10}) {
    const ReuseMotion resumed = move_with(scene, NewtonLinearSolver::reuse, steps_into_contact, restart);
    EXPECT_EQ(serialize(resumed.state), serialize(whole.state)) << restart;
    EXPECT_EQ(resumed.factorizations, whole.factorizations);
  }
}

}  // namespace
}  // namespace holo::test
