#pragma once
// The bodies of an elastic model in the pictures of a run. An affine body is drawn with its own mesh, whose vertices are points
// of the model's embedding.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/elastic/elastic_model.h"
#include "holo/study/scene.h"

namespace holo {

// A body as it is drawn.
SceneBody drawn_body(const ElasticModel& model, std::size_t body);

// Vectors of the model's vertices [3 * vertex] as those of the drawn vertices, which run through the bodies.
void assign_drawn(const ElasticModel& model, const Eigen::VectorXd& of_vertices, std::vector<double>& drawn);

// Makes a field of the model's vertices one of the drawn vertices; the nodes of an affine body have one value.
void spread_over_drawn(const ElasticModel& model, std::vector<float>& field);

}  // namespace holo
