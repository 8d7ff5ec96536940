#pragma once
// Description of an elastic scene in lines of text, for `holo check`.

#include <string>
#include <vector>

#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/elastic/handles/dirichlet_schedule.h"

namespace holo {

// For each body its vertices, elements, volume, mass and worst element with its radius ratio (mesh_description.h) and its
// number in the mesh's file; then the number of vertices of each of its named subsets and handles.
std::vector<std::string> elastic_contents(const ElasticModel& model, const DirichletSchedule& schedule);

}  // namespace holo
