#pragma once
// Terms of loads: forces that keep their direction, and pressure that follows the surface.

#include <array>
#include <memory>
#include <vector>

#include "holo/sim/dynamics/potential_term.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

// The term of a load on a body of the model. Throws Error(input) at the load's place in the experiment where no vertex, for
// traction and pressure no triangle of the surface, is in its subset.
std::unique_ptr<PotentialTerm> make_load(const ElasticModel& model, const ElasticBody& body, const LoadDefinition& load);

// The load's triangles of the body's surface (select_triangles in mesh/subset.h), in the model's numbering of vertices. Throws
// as make_load does.
std::vector<std::array<int, 3>> loaded_triangles(const ElasticBody& body, const LoadDefinition& load);

}  // namespace holo
