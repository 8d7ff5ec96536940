#include "holo/sim/articulated/dynamics/height_coefficients.h"

#include <fmt/format.h>

#include <algorithm>

#include "holo/core/error.h"

namespace holo::articulated {

namespace {

// At a grid point the uniform cubic spline has the value (c_before + 4 c + c_after) / 6, and beyond its ends the last
// coefficients repeat: the matrix is tridiagonal with 4/6, at both ends 5/6, and 1/6 beside the diagonal. Thomas' algorithm
// needs no pivots, since the diagonal dominates. The entries stand `stride` apart.
void interpolate_line(double* values, int count, int stride, std::vector<double>& factors) {
  if (count == 1) return;
  const auto diagonal = [&](int i) { return i == 0 || i == count - 1 ? 5.0 / 6 : 4.0 / 6; };
  double pivot = diagonal(0);
  values[0] /= pivot;
  for (int i = 1; i < count; ++i) {
    factors[std::size_t(i)] = 1 / (6 * pivot);
    pivot = diagonal(i) - factors[std::size_t(i)] / 6;
    values[i * stride] = (values[i * stride] - values[(i - 1) * stride] / 6) / pivot;
  }
  for (int i = count - 2; i >= 0; --i) values[i * stride] -= factors[std::size_t(i) + 1] * values[(i + 1) * stride];
}

}  // namespace

std::vector<double> height_coefficients(std::vector<double> heights, int columns, int rows) {
  if (columns < 1 || rows < 1 || heights.size() != std::size_t(columns) * std::size_t(rows))
    throw Error(Failure::input, fmt::format("there are {} heights for a grid of {} columns and {} rows; one for each point is "
                                            "needed",
                                            heights.size(), columns, rows));
  std::vector<double> factors(std::size_t(std::max(columns, rows)));
  for (int row = 0; row < rows; ++row) interpolate_line(heights.data() + row * columns, columns, 1, factors);
  for (int column = 0; column < columns; ++column) interpolate_line(heights.data() + column, rows, columns, factors);
  return heights;
}

}  // namespace holo::articulated
