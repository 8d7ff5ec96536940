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

// The triangle of a panel's own rows: L below the diagonal, and the reciprocals of D.
struct PanelTriangle {
  alignas(64) double lower[panel_width][panel_width];  // [column][row]
  alignas(64) double reciprocals[panel_width];
};

constexpr int registers = panel_width / LaneBlock::width;  // of a column of the triangle

// L D L^T of the triangle in place. All rows of a column are updated, since whole registers are faster than triangles: rows do
// not mix, so that the numbers above the diagonal, whatever they are, do not get below it.
PivotCounts factorize_triangle(int width, const signed char* signs, double* pivots, PanelTriangle& triangle) {
  PivotCounts counts;
  auto& a = triangle.lower;
  for (int p = 0; p < width; ++p) {
    const double pivot = a[p][p], reciprocal = 1 / pivot;
    counts.failed |= !(std::isfinite(pivot) && std::isfinite(reciprocal));
    ++(pivot > 0 ? counts.positive : counts.negative);
    counts.wrong_signs += (pivot > 0) != (signs[p] > 0);
    pivots[p] = pivot;
    triangle.reciprocals[p] = reciprocal;
    LaneBlock products[registers], lower[registers];
    for (int r = 0; r < registers; ++r) {
      products[r] = LaneBlock::load(a[p] + r * LaneBlock::width);
      lower[r] = products[r] * LaneBlock(reciprocal);
    }
    for (int column = p + 1; column < width; ++column) {
      const LaneBlock factor(a[p][column] * reciprocal);
      for (int r = 0; r < registers; ++r) {
        double* to = a[column] + r * LaneBlock::width;
        (LaneBlock::load(to) - factor * products[r]).store(to);
      }
    }
    for (int r = 0; r < registers; ++r) lower[r].store(a[p] + r * LaneBlock::width);
  }
  return counts;
}

PivotCounts factorize_triangle_of(double* values, int stride, int width, const signed char* signs, double* pivots,
                                  PanelTriangle& triangle) {
  for (int column = 0; column < width; ++column) {
    if (width < panel_width) std::fill_n(triangle.lower[column], panel_width, 0.0);
    std::copy_n(values + column * stride, width, triangle.lower[column]);
  }
  const PivotCounts counts = factorize_triangle(width, signs, pivots, triangle);
  for (int column = 0; column < width; ++column) std::copy_n(triangle.lower[column], width, values + column * stride);
  return counts;
}

// The rows below the triangle, a register of rows at a time: each column of L D = A L^-T is subtracted from the later ones as
// soon as it is known, which leaves the processor independent products; then L = (L D) D^-1. The last panel of a block may be
// narrower; the width of the others is known to the compiler, which keeps x in registers.
template <bool is_full>
void follow_triangle(double* values, double* products, int stride, int rows, int width, const PanelTriangle& triangle) {
  if (is_full) width = panel_width;
  for (int row = 0; row < rows; row += LaneBlock::width) {
    LaneBlock x[panel_width];
#pragma GCC unroll 16
    for (int column = 0; column < width; ++column) x[column] = LaneBlock::load(values + column * stride + row);
#pragma GCC unroll 16
    for (int p = 0; p < width; ++p) {
      x[p].store(products + p * stride + row);
      (x[p] * LaneBlock(triangle.reciprocals[p])).store(values + p * stride + row);
#pragma GCC unroll 16
      for (int column = p + 1; column < width; ++column) x[column] -= x[p] * LaneBlock(triangle.lower[p][column]);
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
    counts.add(factorize_triangle_of(own, panel.stride, width, signs + begin, pivots + begin, triangle));
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
