#pragma once
// Motions by a scheme of time integration.

#include <gtest/gtest.h>

#include "holo/sim/dynamics/implicit_euler.h"
#include "scenes.h"

namespace holo::test {

struct SchemeRun {
  explicit SchemeRun(ElasticSceneDefinition definition, IntegrationScheme scheme = IntegrationScheme::bdf2)
      : scene(with_scheme(std::move(definition), scheme)),
        state(initial_state(*scene.model)),
        integrator(scene, {.tolerance = 1e-13}) {}
  static ElasticSceneDefinition with_scheme(ElasticSceneDefinition definition, IntegrationScheme scheme) {
    definition.scheme = scheme;
    return definition;
  }
  void step() {
    const ElasticStepResult result = integrator.step(state);
    ASSERT_EQ(result.newton.status, NewtonStatus::converged) << state.step << ": " << result.newton.diagnosis;
  }
  void run(int steps) {
    for (int n = 0; n < steps; ++n) step();
  }
  double energy() const { return energies(*scene.model, scene.gravity, state).total(); }

  ElasticScene scene;
  ElasticState state;
  ImplicitEuler integrator;
};

inline ElasticSceneDefinition free_block(double time_step, double youngs_modulus = 1e5) {
  ElasticSceneDefinition definition;
  definition.time_step = time_step;
  definition.gravity = {0, 0, 0};
  definition.bodies = {hand_body(HandEnergy::stable, box_source({0.5, 0.4, 0.3}, 24), youngs_modulus)};
  return definition;
}

}  // namespace holo::test
