#include "block_tridiagonal/frontal_panel.h"

#include <algorithm>
#include <cmath>

#include "block_tridiagonal/dense_products.h"
#include "holo/diff/lanes/lanes.h"

namespace holo {

namespace {

constexpr int panel_width = 16;   // columns
constexpr int update_width = 16;  // columns of a symmetric product at once
constexpr int cache_line = 8;     // numbers

// The triangle of a panel's own rows: L, the reciprocals of D, and the number of its columns.
struct PanelTriangle {
  alignas(64) double lower[panel_width][panel_width];  // [column][row]
  alignas(64) double reciprocals[panel_width];
};

// L D L^T of the first `width` rows of `values`; columns are right-looking, and all rows of the array are updated, since whole
// registers are faster than triangles.
PivotCounts factorize_triangle(double* values, int stride, int width, const signed char* signs, double* pivots,
                               PanelTriangle& triangle) {
  PivotCounts counts;
  auto& a = triangle.lower;
  for (int column = 0; column < panel_width; ++column)
    for (int row = 0; row < panel_width; ++row)
      a[column][row] = column < width && row < width && row >= column ? values[column * stride + row] : 0.0;
  for (int p = 0; p < width; ++p) {
    const double pivot = a[p][p], reciprocal = 1 / pivot;
    counts.failed |= pivot == 0 || !std::isfinite(pivot) || !std::isfinite(reciprocal);
    ++(pivot > 0 ? counts.positive : counts.negative);
    counts.wrong_signs += (pivot > 0) != (signs[p] > 0);
    pivots[p] = pivot;
    triangle.reciprocals[p] = reciprocal;
    for (int column = p + 1; column < width; ++column) {
      const double factor = a[p][column] * reciprocal;
      for (int row = 0; row < panel_width; ++row) a[column][row] -= factor * a[p][row];
    }
    for (int row = p + 1; row < width; ++row) values[p * stride + row] = a[p][row] *= reciprocal;
  }
  return counts;
}

// The rows below the triangle, a register of rows at a time: L D = A - (L D) L^T column by column, then L = (L D) D^-1. The
// last panel of a block may be narrower; the width of the others is known to the compiler, which keeps x in registers.
template <bool is_full>
void follow_triangle(double* values, double* products, int stride, int rows, int width, const PanelTriangle& triangle) {
  for (int row = 0; row < rows; row += LaneBlock::width) {
    LaneBlock x[panel_width];
    for (int column = 0; column < panel_width; ++column) {
      if (!is_full && column >= width) break;
      LaneBlock value = LaneBlock::load(values + column * stride + row);
      for (int p = 0; p < column; ++p) value -= x[p] * LaneBlock(triangle.lower[p][column]);
      x[column] = value;
    }
    for (int column = 0; column < panel_width; ++column) {
      if (!is_full && column >= width) break;
      x[column].store(products + column * stride + row);
      (x[column] * LaneBlock(triangle.reciprocals[column])).store(values + column * stride + row);
    }
  }
}

}  // namespace

int padded_rows(int block_size) { return (block_size + cache_line - 1) / cache_line * cache_line; }

// An odd number of cache lines, so that the columns of a row lie in different sets of the cache.
int panel_stride(int rows) { return rows / cache_line % 2 == 0 ? rows + cache_line : rows; }

PivotCounts eliminate(const FrontalPanel& panel, const signed char* signs, double* pivots, double* products) {
  PivotCounts counts;
  PanelTriangle triangle;
  for (int begin = 0; begin < panel.size; begin += panel_width) {
    const int width = std::min(panel_width, panel.size - begin);
    double* own = panel.values + std::size_t(begin) * std::size_t(panel.stride) + begin;
    double* own_products = products + std::size_t(begin) * std::size_t(panel.stride) + begin;
    if (begin > 0)
      subtract_product(panel.rows - begin, width, begin, panel.values + begin, panel.stride, products + begin, panel.stride, 1,
                       own, panel.stride);
    counts.add(factorize_triangle(own, panel.stride, width, signs + begin, pivots + begin, triangle));
    const int below = begin + width < panel.size ? width : padded_rows(panel.size) - begin;  // its first row
    const int rows = panel.rows - begin - below;
    if (width == panel_width)
      follow_triangle<true>(own + below, own_products + below, panel.stride, rows, width, triangle);
    else
      follow_triangle<false>(own + below, own_products + below, panel.stride, rows, width, triangle);
  }
  return counts;
}

void subtract_symmetric_product(int size, const double* lower, const double* products, int stride, double beta, double* target,
                                int target_stride) {
  for (int begin = 0; begin < size; begin += update_width)
    subtract_product(size - begin, std::min(update_width, size - begin), size, lower + begin, stride, products + begin, stride,
                     beta, target + std::size_t(begin) * std::size_t(target_stride) + begin, target_stride);
}

}  // namespace holo
