#pragma once
// What a material says of the body that nothing deforms: at F = I, with the coefficients of an experiment.

#include <array>
#include <string>
#include <vector>

#include "holo/core/abi.h"
#include "holo/sim/elastic/singular_elements.h"

namespace holo {

struct MaterialAtRest {
  double energy = 0;                  // [J/m^3]
  std::array<double, 9> stress = {};  // [Pa]
  double stiffness = 0;               // the largest entry of the Hessian that is finite [Pa]
  std::string obstacle;               // why what is not finite could not be resolved, where it could not
};

// What is not finite comes from one-sided series where `reference` gives the material's second library.
MaterialAtRest material_at_rest(const holo_material& material, const std::vector<double>& coefficients,
                                const SingularElements::Load& reference);

// "" where energy and stress are finite and vanish, to 1e-8 of the stiffness; else what they are and with which coefficients.
std::string defect_at_rest(const holo_material& material, const std::vector<double>& coefficients,
                           const SingularElements::Load& reference);

}  // namespace holo
