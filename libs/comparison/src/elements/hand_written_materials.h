#pragma once
// The yardsticks of single materials, from the coefficients of their plugins; their number is right.

#include "holo/comparison/element_kernels.h"

namespace holo::comparison {

std::vector<NamedKernel> hand_written_arruda_boyce(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_corotational(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_fiber_reinforced(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_fung(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_mooney_rivlin(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_neo_hookean(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_neo_hookean_log(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_neo_hookean_paper(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_ogden(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_polynomial(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_stable_neo_hookean(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_stable_neo_hookean_smith(DerivativeKind quantity,
                                                               const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_stvk_invertible(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_volume_preserving(DerivativeKind quantity, const std::vector<double>& coefficients);
std::vector<NamedKernel> hand_written_yeoh(DerivativeKind quantity, const std::vector<double>& coefficients);

}  // namespace holo::comparison
