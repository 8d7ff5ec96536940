#pragma once
// W, as the formulas of blocks of elements call it.

#include <cstddef>

#include "holo/core/abi/compatibility.h"

namespace holo {

// Elements whose numbers stand side by side in a block: [entry][lane].
constexpr std::size_t W = HOLO_LANE_WIDTH;

}  // namespace holo
