#pragma once
// Values of each element at given positions: energy density, stress and deformation gradient.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/elastic/aligned_array.h"

namespace holo {

class ElasticModel;

// Per element, in the meshes' order, bodies one after another.
struct ElementObservables {
  std::vector<double> energy_density;    // per rest volume [J/m^3]
  std::vector<double> von_mises_stress;  // of the Cauchy stress P F^T / det F [Pa]; not finite where det F = 0
};
void observe_elements(const ElasticModel& model, const Eigen::VectorXd& positions, ElementObservables& observables);

// Deformation gradients of all slots, [block][9][lane].
void deformation_gradients(const ElasticModel& model, const Eigen::VectorXd& positions, AlignedArray& result);

}  // namespace holo
