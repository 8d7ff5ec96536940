#pragma once
// Kernels of this benchmark in addition to those of holo/comparison/element_kernels.h.

#include "elements.h"
#include "holo/comparison/element_kernels.h"

namespace holo::benchmark {

// Slower ways to the same numbers, from the energy's own source, for the same four materials: the graph interpreted at run
// time, and complex steps in the nine entries of F.
std::vector<NamedKernel> reference_kernels(const std::string& material, DerivativeKind quantity,
                                           const std::vector<double>& coefficients);

}  // namespace holo::benchmark
