#pragma once
// The vertices and triangles that a load acts on.

#include <array>
#include <memory>
#include <vector>

#include "holo/sim/dynamics/potential_term.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

// The vertices of the load's subset, in the model's numbering. Throws Error(input) at the load's place in the experiment where
// there is none.
std::vector<int> loaded_vertices(const ElasticBody& body, const LoadDefinition& load);

// The load's triangles of the body's surface (select_triangles in mesh/subset.h), in the model's numbering of vertices. Throws
// as loaded_vertices does.
std::vector<std::array<int, 3>> loaded_triangles(const ElasticBody& body, const LoadDefinition& load);

}  // namespace holo
