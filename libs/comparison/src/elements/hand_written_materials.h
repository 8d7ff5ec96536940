#pragma once
// The yardsticks of single materials, from the coefficients of their plugins; their number is right.

#include "holo/comparison/element_kernels.h"

namespace holo::comparison {

std::vector<NamedKernel> hand_written_arruda_boyce(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_corotational(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_fiber_reinforced(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_fung(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_mooney_rivlin(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_neo_hookean(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_neo_hookean_log(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_neo_hookean_paper(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_ogden(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_polynomial(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_stable_neo_hookean(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_stable_neo_hookean_smith(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_stvk_invertible(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_volume_preserving(Quantity quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_yeoh(Quantity quantity, const std::vector<double>& coefficients);

}  // namespace holo::comparison
