#include "holo/sim/dynamics/elastic_scene.h"

#include <fmt/format.h>

#include "elastic/extent_text.h"
#include "holo/core/error.h"

namespace holo {
namespace {

using Holders = std::vector<std::array<const HandleDefinition*, 3>>;  // [vertex][axis] the handle that holds it

// The handle's vertices in the model's numbering, marked in `holders`.
std::vector<int> take_vertices(const HandleDefinition& handle, const ElasticBody& body, Holders& holders) {
  std::vector<int> vertices;
  for (const int v : select_vertices(handle.subset, body.mesh)) {
    const Vector3d& point = body.mesh.vertices[static_cast<std::size_t>(v)];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!handle.along[axis]) continue;
      const HandleDefinition*& holder = holders[static_cast<std::size_t>(body.first_vertex + v)][axis];
      if (holder)
        throw_input_error(
            handle.subset.location,
            fmt::format("the vertex of body '{}' at [{:.6g}, {:.6g}, {:.6g}] is in two handles: this one and the one "
                        "at {}. Make the subsets disjoint, or prescribe them along different axes.",
                        body.name, point[0], point[1], point[2], to_string(holder->subset.location)));
      holder = &handle;
    }
    vertices.push_back(body.first_vertex + v);
  }
  if (vertices.empty())
    throw_input_error(handle.subset.location,
                      fmt::format("the handle's subset holds none of the {} vertices of body '{}', which fill {}.",
                                  body.vertex_count, body.name, extent_text(body.mesh)));
  return vertices;
}

// The handles of all bodies, which are selected on the placed meshes.
DirichletSchedule make_schedule(const ElasticModel& model, const ElasticSceneDefinition& definition) {
  DirichletSchedule schedule;
  Holders holders(static_cast<std::size_t>(model.vertex_count()));
  for (std::size_t b = 0; b < definition.bodies.size(); ++b)
    for (const HandleDefinition& handle : definition.bodies[b].handles) {
      require_values(handle.motion);
      schedule.add({take_vertices(handle, model.bodies()[b], holders), handle.motion, handle.release_time, handle.along});
    }
  return schedule;
}

}  // namespace

ElasticScene::ElasticScene(const ElasticSceneDefinition& definition)
    : model(std::make_shared<const ElasticModel>(definition)),
      schedule(make_schedule(*model, definition)),
      integration{definition.time_step, definition.step_count(), definition.scheme},
      gravity(definition.gravity),
      contact(make_scene_contact(*model, definition)) {}

StepContext step_from(const TimeIntegration& integration, const ElasticState& state) {
  StepContext context{state.positions, state.velocities, integration.time_step, state.time,
                      integration.time_at(state.step + 1)};
  if (state.previous_positions.size() == 0) return context;
  context.formula = formula_of(integration.scheme);
  context.previous_positions = &state.previous_positions;
  context.previous_velocities = &state.previous_velocities;
  return context;
}

}  // namespace holo
