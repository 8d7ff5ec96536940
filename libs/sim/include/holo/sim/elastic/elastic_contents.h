#pragma once
// What an elastic scene consists of, in lines for `holo check`.

#include <string>
#include <vector>

#include "holo/sim/elastic/elastic_model.h"

namespace holo {

// For each body its vertices, elements, volume, mass and worst element with its radius ratio (mesh_description.h) and its
// number in the mesh's file; then how many vertices each of its named subsets has, and each of its handles.
std::vector<std::string> elastic_contents(const ElasticModel& model);

}  // namespace holo
