#pragma once
// The elements and kernels that the benchmarks share with the experiments.

#include "holo/comparison/elements.h"

namespace holo::benchmark {

using namespace holo::comparison;

}  // namespace holo::benchmark
