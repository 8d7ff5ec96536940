#pragma once
// Values of each element at given positions: energy density, stress and deformation gradient.

#include <Eigen/Core>
#include <vector>

#include "holo/core/numerics/aligned_array.h"

namespace holo {

class ElasticModel;

// [element] in the meshes' order, bodies one after another; of quadratic elements the mean over their points.
struct ElementFields {
  std::vector<double> energy_density;    // per rest volume [J/m^3]
  std::vector<double> von_mises_stress;  // of the Cauchy stress P F^T / det F [Pa]; not finite where det F = 0
};

// The fields at the positions [3 * vertex] [m]. Keeps the memory of `fields`. Throws Error(input) for an element at a point
// where its material is not differentiable, if the scene asks for that (singular_elements.h).
void evaluate_element_fields(const ElasticModel& model, const Eigen::VectorXd& positions, ElementFields& fields);

// The deformation gradients of all elements, [block][9][lane] row by row; resizes `result` where it has another size.
void deformation_gradients(const ElasticModel& model, const Eigen::VectorXd& positions, AlignedArray& result);

}  // namespace holo
