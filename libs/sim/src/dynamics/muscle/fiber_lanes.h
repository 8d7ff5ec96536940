#pragma once
// Vectors and symmetric matrices of one block of elements, and the laws of fibers on them.

#include <array>

#include "holo/core/error.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/taylor.h"
#include "holo/sim/muscle/muscle_fibers.h"

namespace holo {

// The energy of a fiber as a function of its squared stretch.
struct StretchLaw {
  template <class S>
  auto operator()(const S& squared_stretch) const {
    constexpr double shortest = 1e-4;
    return sqrt(squared_stretch + shortest * shortest);
  }
};
struct SquaredStretchLaw {
  template <class S>
  auto operator()(const S& squared_stretch) const {
    return squared_stretch * 0.5;
  }
};

template <class Use>
void with_law(MuscleLaw law, const Use& use) {
  if (law == MuscleLaw::fiber) return use(StretchLaw());
  if (law == MuscleLaw::fiber_squared) return use(SquaredStretchLaw());
  throw Error(Failure::internal, "a law of muscles without an energy");
}

using LaneVector = std::array<LaneBlock, 3>;
struct LaneSymmetric {
  LaneBlock entries[3][3];  // of i <= j
};

HOLO_INLINE LaneBlock dot(const LaneVector& a, const LaneVector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
HOLO_INLINE LaneVector scaled(const LaneBlock& factor, const LaneVector& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}

// F d with F [9][lane] row by row.
HOLO_INLINE LaneVector times(const double* F, const double* d) {
  constexpr std::size_t W = HOLO_LANE_WIDTH;
  LaneVector result;
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = LaneBlock::load(F + 3 * i * W) * d[0] + LaneBlock::load(F + (3 * i + 1) * W) * d[1] +
                LaneBlock::load(F + (3 * i + 2) * W) * d[2];
  return result;
}

HOLO_INLINE LaneSymmetric identity_times(const LaneBlock& factor) {
  const LaneBlock zero(0.0);
  return {{{factor, zero, zero}, {zero, factor, zero}, {zero, zero, factor}}};
}

// rows += factor v v^T
HOLO_INLINE void add_square(const LaneBlock& factor, const LaneVector& v, LaneSymmetric& rows) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) rows.entries[i][j] += factor * v[i] * v[j];
}

// rows += factor (u v^T + v u^T)
HOLO_INLINE void add_mixed_square(const LaneBlock& factor, const LaneVector& u, const LaneVector& v, LaneSymmetric& rows) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = i; j < 3; ++j) rows.entries[i][j] += factor * (u[i] * v[j] + v[i] * u[j]);
}

// result [9][lane] += v d^T
HOLO_INLINE void add_outer_product(const LaneVector& v, const double* d, double* result) {
  constexpr std::size_t W = HOLO_LANE_WIDTH;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      double* entry = result + (3 * i + k) * W;
      (LaneBlock::load(entry) + v[i] * d[k]).store(entry);
    }
}

// hessian [45][lane], the upper half by rows in the entries 3 i + k of F, += rows_ij d_k d_l.
HOLO_INLINE void add_on_columns(const LaneSymmetric& rows, const double* d, double* hessian) {
  constexpr std::size_t W = HOLO_LANE_WIDTH;
  for (std::size_t p = 0, entry = 0; p < 9; ++p)
    for (std::size_t q = p; q < 9; ++q, ++entry) {
      const std::size_t i = p / 3, j = q / 3;  // i <= j
      double* at = hessian + entry * W;
      (LaneBlock::load(at) + rows.entries[i][j] * (d[p % 3] * d[q % 3])).store(at);
    }
}

}  // namespace holo
