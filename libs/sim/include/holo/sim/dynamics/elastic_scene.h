#pragma once
// Elastic bodies with what acts on them over time: prescribed motions, gravity and the time steps.
//
//   const ElasticScene scene(definition);                          // builds meshes, checks handles; Error(input)
//   ElasticState state = initial_state(*scene.model);
//   ImplicitEuler integrator(scene, newton_options);               // implicit_euler.h
//   while (state.step < scene.integration.step_count) integrator.step(state);

#include <memory>

#include "holo/sim/contact/scene_contact.h"
#include "holo/sim/dynamics/step_context.h"
#include "holo/sim/dynamics/time_integration.h"
#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/elastic/elastic_state.h"
#include "holo/sim/elastic/handles/dirichlet_schedule.h"

namespace holo {

// A time step that starts at a state, which must live as long as the result. A state without a step before it starts with
// implicit Euler.
StepContext step_from(const TimeIntegration& integration, const ElasticState& state);

struct ElasticScene {
  std::shared_ptr<const ElasticModel> model;
  DirichletSchedule schedule;
  TimeIntegration integration;
  Vector3d gravity = {};  // [m/s^2]
  SceneContact contact;

  // The definition may be gone afterwards. Throws Error(input), with the location in the experiment, for what ElasticModel
  // refuses, a handle without vertices, a vertex in two handles, a motion by a signal without values, a body that begins in an
  // obstacle.
  explicit ElasticScene(const ElasticSceneDefinition& definition);

  // The time step that starts at a state; the state must live as long as the result.
  StepContext step_from(const ElasticState& state) const { return holo::step_from(integration, state); }
};

}  // namespace holo
