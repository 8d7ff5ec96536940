#pragma once
// Bodies of quadratic tetrahedra, and equilibria of scenes.

#include "holo/opt/newton.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "holo/sim/mesh/quadratic_tetrahedra.h"
#include "scenes.h"

namespace holo::test {

inline MeshSource raised(std::array<double, 3> size, int elements) {
  return [=] { return raise_to_quadratic(box_mesh(size, elements)); };
}

struct Equilibrium {
  ElasticScene scene;
  Eigen::VectorXd x;
  NewtonResult result;

  Equilibrium(const ElasticSceneDefinition& definition, PotentialTerms further = {}) : scene(definition) {
    const ElasticState state = initial_state(*scene.model);
    PotentialTerms terms = static_terms(scene);
    for (auto& term : further) terms.push_back(std::move(term));
    IncrementalPotential potential(scene.model, std::move(terms));
    potential.begin_step(scene.step_from(state), scene.schedule);
    x = state.positions;
    NewtonWorkspace workspace;
    result = minimize(potential, x, {.tolerance = 1e-10, .max_iterations = 400}, workspace);
  }
};

}  // namespace holo::test
