#pragma once
// Rows of arrays [row][lane], and the largest entry of what may be empty.

#include "holo/diff/lanes/lanes.h"
#include "holo/opt/optimal_control_problem.h"

namespace holo {

HOLO_INLINE LaneBlock load(const double* from, int row) { return LaneBlock::load(from + std::ptrdiff_t(row) * stage_lanes); }
HOLO_INLINE LaneBlock load(const StageLanes& from, int row) { return load(from.data(), row); }
HOLO_INLINE void store(double* to, int row, LaneBlock value) { value.store(to + std::ptrdiff_t(row) * stage_lanes); }
HOLO_INLINE void store(StageLanes& to, int row, LaneBlock value) { store(to.data(), row, value); }
HOLO_INLINE void add_to(StageLanes& to, int row, LaneBlock value) { store(to, row, load(to, row) + value); }

template <class Matrix>
double largest_entry(const Eigen::MatrixBase<Matrix>& matrix) {
  return matrix.size() == 0 ? 0.0 : matrix.template lpNorm<Eigen::Infinity>();
}

}  // namespace holo
