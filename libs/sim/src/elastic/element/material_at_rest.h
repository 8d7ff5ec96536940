#pragma once
// Check of a material at rest: energy, stress and stiffness at F = I with the coefficients of an experiment.

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
  std::string obstacle;               // reason why a value that is not finite could not be resolved; else ""
};

// The values at rest; those that are not finite come from one-sided series if `reference` gives the material's second library.
MaterialAtRest material_at_rest(const holo_material& material, const std::vector<double>& coefficients,
                                const SingularElements::Load& reference);

// "" if energy and stress are finite and vanish to 1e-8 of the stiffness; else their values and the coefficients.
std::string defect_at_rest(const holo_material& material, const std::vector<double>& coefficients,
                           const SingularElements::Load& reference);

}  // namespace holo
