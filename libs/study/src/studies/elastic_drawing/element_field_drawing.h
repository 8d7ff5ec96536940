#pragma once
// Stress and energy density of elements as fields of the vertices that are drawn.

#include <vector>

#include "holo/sim/elastic/element_fields.h"
#include "holo/study/scene.h"

namespace holo {

class ElasticModel;

// The von Mises stress and the energy density, with the rounding below which a body has one color.
std::vector<ScalarField> drawn_element_fields(const ElasticModel& model);

// Their values at the drawn vertices, [field][vertex], appended to those of other models: each vertex takes the mean of its
// elements. Keeps the memory of `scratch`. Throws as evaluate_element_fields.
void append_element_fields(const ElasticModel& model, const Eigen::VectorXd& positions, ElementFields& scratch,
                           std::vector<std::vector<float>>& fields);

}  // namespace holo
