#pragma once
// Products of the matrices of one block of elements, summed over its lanes with their volumes.

#include "holo/diff/lanes/lanes.h"

namespace holo {

// sum V a : D : b with D [45][lane] the upper half by rows of a symmetric 9x9 matrix, a and b [9][lane], V [lane].
inline double lane_product(const double* D, const double* a, const double* b, const double* volume) {
  constexpr std::size_t W = HOLO_LANE_WIDTH;
  LaneBlock total(0.0);
  for (std::size_t i = 0, entry = 0; i < 9; ++i)
    for (std::size_t j = i; j < 9; ++j, ++entry) {
      const LaneBlock ai = LaneBlock::load(a + i * W), aj = LaneBlock::load(a + j * W);
      const LaneBlock bi = LaneBlock::load(b + i * W), bj = LaneBlock::load(b + j * W);
      total += LaneBlock::load(D + entry * W) * (i == j ? ai * bi : ai * bj + aj * bi);
    }
  return sum(LaneBlock::load(volume) * total);
}

// sum V P : a with P and a [9][lane].
inline double lane_product(const double* P, const double* a, const double* volume) {
  constexpr std::size_t W = HOLO_LANE_WIDTH;
  LaneBlock total(0.0);
  for (std::size_t i = 0; i < 9; ++i) total += LaneBlock::load(P + i * W) * LaneBlock::load(a + i * W);
  return sum(LaneBlock::load(volume) * total);
}

}  // namespace holo
