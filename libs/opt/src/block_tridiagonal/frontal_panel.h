#pragma once
// The elimination of one block by L D L^T without pivoting, with the rows of its neighbors below it.

#include <cstddef>

namespace holo {

// Numbers of pivots by their sign, and of those with another sign than expected.
struct PivotCounts {
  int positive = 0, negative = 0, wrong_signs = 0;
  bool failed = false;  // a pivot is zero or not finite; the factor must not be used

  void add(const PivotCounts& other) {
    positive += other.positive;
    negative += other.negative;
    wrong_signs += other.wrong_signs;
    failed |= other.failed;
  }
};

// Rows of a block with those that fill the last register of lanes.
int padded_rows(int block_size);
// The distance of columns of a panel with `rows` rows (a multiple of a cache line), such that columns do not share a cache set.
int panel_stride(int rows);

// A panel is [column][row] with `size` columns and the distance `stride` of columns; aligned to cache lines. Its first
// padded_rows(size) rows are a symmetric block, of which the lower triangle is read, and the others those of neighbors, a
// multiple of padded_rows(size). Rows do not mix below the block, so that any numbers may stand in padding rows.
struct FrontalPanel {
  double* values = nullptr;
  int size = 0, rows = 0, stride = 0;
};

// Replaces the panel by L, without the unit diagonal of its block, and writes D to pivots [size] and L D to `products`, which
// has the panel's layout (its block's upper triangle is not written). `signs` [size] are +1 and -1. Columns are taken in panels
// of 16: earlier columns are applied by a matrix product, the 16 rows of the panel are factorized, and the rows below them
// follow in vector registers.
PivotCounts eliminate(const FrontalPanel& panel, const signed char* signs, double* pivots, double* products);

// The lower triangle of C = beta C - L P^T for a symmetric result; L [size][size] and P [size][size] with the distance `stride`
// of columns, C with `target_stride`.
void subtract_symmetric_product(int size, const double* lower, const double* products, int stride, double beta, double* target,
                                int target_stride);

}  // namespace holo
