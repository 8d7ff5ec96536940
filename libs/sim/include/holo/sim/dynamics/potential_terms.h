#pragma once
// The lists of terms that make the potentials of a scene.

#include <memory>
#include <vector>

#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/sim/dynamics/potential_term.h"

namespace holo {

using PotentialTerms = std::vector<std::unique_ptr<PotentialTerm>>;

// Those of a time step (incremental_potential.h): elasticity with the stiffness damping that bodies ask for,
// inertia, mass damping where a body asks for it, body energies, gravity, the bodies' loads, contact and friction with planes
// and of surfaces with each other. Throws Error(input) for a load whose subset is empty.
PotentialTerms implicit_euler_terms(const ElasticScene& scene);

// Barriers and friction of the scene's contact, as terms of the points of its surfaces (ContactSurface::points): of the model's
// vertices, unless a body is affine.
PotentialTerms contact_terms(const ElasticScene& scene);

// Those of a static equilibrium: elasticity, body energies, gravity, the bodies' loads, contact without friction. A minimum is
// one of the potential energy; loads have their values at the end of the step (`begin_step`), so that steps of quasi-statics
// raise them. Throws the same.
PotentialTerms static_terms(const ElasticScene& scene);

}  // namespace holo
