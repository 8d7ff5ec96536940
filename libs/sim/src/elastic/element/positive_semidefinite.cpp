#include "holo/sim/elastic/positive_semidefinite.h"

#include <algorithm>

#include "elastic/element/jacobi.h"
#include "elastic/element/principal_axes.h"

namespace holo {
namespace {

constexpr int n = 9, entries = 45;

HOLO_INLINE LaneBlock largest_entry(const LaneBlock* a) {
  LaneBlock largest = abs(a[0]);
  for (int k = 1; k < entries; ++k) largest = max(largest, abs(a[k]));
  return largest;
}

// Lanes where L D L^T of the matrix plus a small shift has positive pivots only.
HOLO_INLINE LaneBlock::Mask is_positive(const double* matrix) {
  LaneBlock a[entries];
#pragma GCC unroll 45
  for (int k = 0; k < entries; ++k) a[k] = LaneBlock::load(matrix + k * HOLO_LANE_WIDTH);
  const LaneBlock shift = LaneBlock(1e-13) * largest_entry(a);
  LaneBlock::Mask positive = shift >= LaneBlock(0.0);
#pragma GCC unroll 9
  for (int p = 0; p < n; ++p) {
    const LaneBlock pivot = a[upper_index<9>(p, p)] + shift;
    positive = positive & (pivot > LaneBlock(0.0));
    const LaneBlock inverse = LaneBlock(1.0) / pivot;
#pragma GCC unroll 9
    for (int i = p + 1; i < n; ++i) {
      const LaneBlock factor = a[upper_index<9>(p, i)] * inverse;
#pragma GCC unroll 9
      for (int j = i; j < n; ++j) a[upper_index<9>(i, j)] -= factor * a[upper_index<9>(p, j)];
    }
  }
  return positive;
}

// Takes the negative part off, in the lanes of the mask.
void remove_negative_part(LaneBlock* matrix, LaneBlock::Mask where) {
  LaneBlock a[n][n], vectors[n][n];
  const LaneBlock scale = largest_entry(matrix);
  const LaneBlock inverse = LaneBlock(1.0) / max(scale, LaneBlock(1e-280));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a[i][j] = j < i ? LaneBlock(0.0) : matrix[upper_index<9>(i, j)] * inverse;
  jacobi_decompose(a, vectors);
  for (int p = 0; p < n; ++p) {
    const LaneBlock negative = select(where, min(a[p][p], LaneBlock(0.0)) * scale, LaneBlock(0.0));
    add_outer_product(-negative, vectors[p], matrix);
  }
}

// The same lane of a slot, of arrays with so many rows a block.
double* at_slot(double* array, int rows, std::size_t slot) {
  return array + slot / HOLO_LANE_WIDTH * static_cast<std::size_t>(rows) * HOLO_LANE_WIDTH + slot % HOLO_LANE_WIDTH;
}

template <int rows>
void pack(const double* array, const std::size_t* slots, std::size_t count, LaneBlock (&packed)[rows]) {
  for (int lane = 0; lane < static_cast<int>(HOLO_LANE_WIDTH); ++lane) {
    const double* from = at_slot(const_cast<double*>(array), rows, slots[std::min<std::size_t>(lane, count - 1)]);
    for (int k = 0; k < rows; ++k) packed[k].set(lane, from[k * HOLO_LANE_WIDTH]);
  }
}

void remove_negative_part(LaneBlock* matrix, const LaneBlock* F, LaneBlock::Mask where) {
  if (F) where = where & !remove_negative_part_in_principal_axes(F, where, largest_entry(matrix), matrix);
  if (any(where)) remove_negative_part(matrix, where);
}

// Packs the matrices of some slots into one block (the last repeated), takes their negative parts off and puts them back.
void project_packed(double* matrices, const double* deformation_gradients, const std::size_t* slots, std::size_t count) {
  LaneBlock matrix[entries], F[9];
  pack(matrices, slots, count, matrix);
  if (deformation_gradients) pack(deformation_gradients, slots, count, F);
  remove_negative_part(matrix, deformation_gradients ? F : nullptr, LaneBlock(0.0) == LaneBlock(0.0));
  for (int lane = 0; lane < static_cast<int>(count); ++lane) {
    double* to = at_slot(matrices, entries, slots[lane]);
    for (int k = 0; k < entries; ++k) to[k * HOLO_LANE_WIDTH] = matrix[k][lane];
  }
}

// The same for a whole block where it stands.
void project_in_place(double* matrices, const double* deformation_gradients, std::size_t block, LaneBlock::Mask where) {
  LaneBlock matrix[entries], F[9];
  double* from = matrices + block * entries * HOLO_LANE_WIDTH;
  for (int k = 0; k < entries; ++k) matrix[k] = LaneBlock::load(from + k * HOLO_LANE_WIDTH);
  for (int k = 0; k < 9 && deformation_gradients; ++k)
    F[k] = LaneBlock::load(deformation_gradients + (block * 9 + static_cast<std::size_t>(k)) * HOLO_LANE_WIDTH);
  remove_negative_part(matrix, deformation_gradients ? F : nullptr, where);
  for (int k = 0; k < entries; ++k) matrix[k].store(from + k * HOLO_LANE_WIDTH);
}

}  // namespace

std::size_t project_positive_semidefinite(double* matrices, const double* deformation_gradients, std::size_t block_count,
                                          std::uint8_t* projected) {
  std::size_t waiting[HOLO_LANE_WIDTH], waiting_count = 0, total = 0;
  for (std::size_t block = 0; block < block_count; ++block) {
    const LaneBlock::Mask positive = is_positive(matrices + block * entries * HOLO_LANE_WIDTH);
    std::size_t count = 0;
    for (std::size_t lane = 0; lane < HOLO_LANE_WIDTH; ++lane) {
      projected[block * HOLO_LANE_WIDTH + lane] = !positive[static_cast<int>(lane)];
      count += projected[block * HOLO_LANE_WIDTH + lane];
    }
    total += count;
    if (2 * count > HOLO_LANE_WIDTH) {  // packing would cost more than the lanes that idle
      project_in_place(matrices, deformation_gradients, block, !positive);
      continue;
    }
    for (std::size_t slot = block * HOLO_LANE_WIDTH; slot < (block + 1) * HOLO_LANE_WIDTH; ++slot) {
      if (!projected[slot]) continue;
      waiting[waiting_count++] = slot;
      if (waiting_count < HOLO_LANE_WIDTH) continue;
      project_packed(matrices, deformation_gradients, waiting, waiting_count);
      waiting_count = 0;
    }
  }
  if (waiting_count > 0) project_packed(matrices, deformation_gradients, waiting, waiting_count);
  return total;
}

}  // namespace holo
