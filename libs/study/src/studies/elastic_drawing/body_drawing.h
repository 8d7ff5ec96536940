#pragma once
// The bodies of an elastic scene as runs and previews draw them: surfaces, with dots at the vertices of handles and subsets.

#include <vector>

#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/elastic/handles/dirichlet_schedule.h"
#include "holo/study/scene.h"

namespace holo {

// The bodies of the model in its order, each with its handles as sets of vertices.
std::vector<SceneBody> drawn_bodies(const ElasticModel& model, const DirichletSchedule& schedule);

// The body's handles in the schedule's order, named "BODY handle 0".
std::vector<VertexSet> drawn_handles(const DirichletSchedule& schedule, const ElasticBody& body);

// The body's named subsets, as losses call them: "BODY.SUBSET".
std::vector<VertexSet> drawn_subsets(const ElasticBody& body);

}  // namespace holo
