#pragma once
// Determinants of one block of matrices in lanes.

#include "holo/diff/lanes/lanes.h"

namespace holo {

// det F of the matrices F [9][lane], row by row, by expansion along the first row.
HOLO_INLINE LaneBlock block_determinant(const double* F) {
  auto f = [&](int k) { return LaneBlock::load(F + k * HOLO_LANE_WIDTH); };
  return f(0) * (f(4) * f(8) - f(5) * f(7)) - f(1) * (f(3) * f(8) - f(5) * f(6)) + f(2) * (f(3) * f(7) - f(4) * f(6));
}

}  // namespace holo
