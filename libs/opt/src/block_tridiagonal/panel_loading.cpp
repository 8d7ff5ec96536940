#include "block_tridiagonal/panel_loading.h"

#include <algorithm>

namespace holo {

namespace {

constexpr int transposed_columns = 8;  // at once, so that whole cache lines are read and written

void load_diagonal(const ScaledSystem& system, int block, int stride, double* panel) {
  const int size = system.matrix.shape.block_size, ld = system.matrix.shape.leading_dimension();
  const std::size_t first = std::size_t(block) * std::size_t(size);
  const double *from = system.matrix.diagonal_block(system.system, block), *scales = system.scales + first;
  for (int column = 0; column < size; ++column) {
    const double scale = scales[column];
    for (int row = column; row < size; ++row) panel[column * stride + row] = scale * scales[row] * from[column * ld + row];
    panel[column * stride + column] += system.shift_of(first + std::size_t(column));
  }
}

// The rows of block + 1 in the panel of `block`.
void load_below(const ScaledSystem& system, int block, int stride, double* to) {
  const int size = system.matrix.shape.block_size, ld = system.matrix.shape.leading_dimension();
  const double* from = system.matrix.subdiagonal_block(system.system, block);
  const double *scales = system.scales + std::size_t(block) * std::size_t(size), *row_scales = scales + size;
  for (int column = 0; column < size; ++column)
    for (int row = 0; row < size; ++row) to[column * stride + row] = scales[column] * row_scales[row] * from[column * ld + row];
}

// The rows of block - 1 in the panel of `block`: those of the transposed subdiagonal block.
void load_transposed(const ScaledSystem& system, int block, int stride, double* to) {
  const int size = system.matrix.shape.block_size, ld = system.matrix.shape.leading_dimension();
  const double* from = system.matrix.subdiagonal_block(system.system, block - 1);
  const double *scales = system.scales + std::size_t(block) * std::size_t(size), *row_scales = scales - size;
  for (int begin = 0; begin < size; begin += transposed_columns)
    for (int row = 0; row < size; ++row)
      for (int column = begin; column < std::min(begin + transposed_columns, size); ++column)
        to[column * stride + row] = scales[column] * row_scales[row] * from[row * ld + column];
}

}  // namespace

void load_panel(const ScaledSystem& system, const PanelLayout& layout, int block, double* panel) {
  const PanelPlace& place = layout.place(block);
  const Elimination& e = layout.elimination_of(block);
  load_diagonal(system, block, place.stride, panel);
  if (e.right == block + 1) load_below(system, block, place.stride, panel + place.right_row);
  if (e.left >= 0 && e.left == block - 1) load_transposed(system, block, place.stride, panel + place.left_row);
}

}  // namespace holo
