#pragma once
// Yardsticks of the energies that need more than the slopes in I1 and J.

#include "holo/comparison/element_kernels.h"

namespace holo::comparison {

std::vector<NamedKernel> hand_written_mooney_rivlin(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_fibre_reinforced(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_corotational(Quantity quantity, const std::vector<double>& coefficients);

}  // namespace holo::comparison
