#include "holo/sim/dynamics/element_energy.h"

#include "holo/core/error.h"

namespace holo {

void ElementEnergy::add_lag_stress(const ElementBlocks& blocks, const double*, double*) const {
  throw Error(Failure::internal, "the energy '" + name(blocks.body) + "' does not override add_lag_stress().");
}

void ElementEnergy::lag_derivative(const double*, double*) const {
  throw Error(Failure::internal, "an energy of elements does not override lag_derivative().");
}

}  // namespace holo
