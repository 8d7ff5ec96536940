#include "block_tridiagonal/scaled_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holo {

namespace {

constexpr double least_diagonal = 1e-8;  // relative to the largest: scales differ by 1e4 at most

// The power of two next to a positive number.
double power_of_two(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(1.0, fraction < 0.70710678118654752 ? exponent - 1 : exponent);
}

// Calls visit(row, column, values, first, count) for each column of each block: `values` [count] are the entries of the rows
// row, row + 1, ... of the system in that column.
template <class Visit>
void visit_columns(const BlockTridiagonalView& matrix, int system, const Visit& visit) {
  const std::size_t size = std::size_t(matrix.shape.block_size), ld = std::size_t(matrix.shape.leading_dimension());
  for (int block = 0; block < matrix.shape.blocks; ++block) {
    const std::size_t first = std::size_t(block) * size;
    const double* diagonal = matrix.diagonal_block(system, block);
    for (std::size_t c = 0; c < size; ++c) visit(first + c, first + c, diagonal + c * ld + c, size - c);
    if (block + 1 == matrix.shape.blocks) continue;
    const double* below = matrix.subdiagonal_block(system, block);
    for (std::size_t c = 0; c < size; ++c) visit(first + size, first + c, below + c * ld, size);
  }
}

}  // namespace

namespace {

// Sums and maxima in a fixed order that a vector register follows.
constexpr std::size_t lanes_at_once = 8;

template <class Combine>
double combine_products(const double* values, const double* scales, std::size_t count, const Combine& combine) {
  double partial[lanes_at_once] = {};
  std::size_t k = 0;
  for (; k + lanes_at_once <= count; k += lanes_at_once)
    for (std::size_t j = 0; j < lanes_at_once; ++j) partial[j] = combine(partial[j], std::abs(values[k + j]) * scales[k + j]);
  for (; k < count; ++k) partial[0] = combine(partial[0], std::abs(values[k]) * scales[k]);
  double result = 0;
  for (double value : partial) result = combine(result, value);
  return result;
}

double larger(double a, double b) { return a < b ? b : a; }

}  // namespace

void find_scales(const BlockTridiagonalView& matrix, int system, const signed char* signs, double* scales, double* scratch) {
  const std::size_t rows = matrix.shape.system_rows(), size = std::size_t(matrix.shape.block_size);
  const std::size_t ld = std::size_t(matrix.shape.leading_dimension());
  double largest = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const double diagonal = matrix.diagonal_block(system, int(row / size))[row % size * (ld + 1)];
    scales[row] = signs[row] > 0 && std::isfinite(diagonal) && diagonal > 0 ? diagonal : 0;
    largest = std::max(largest, scales[row]);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const double diagonal = largest > 0 ? std::max(scales[row], least_diagonal * largest) : 1;
    scales[row] = signs[row] > 0 ? power_of_two(1 / std::sqrt(diagonal)) : 0;
  }
  // The largest entries that couple an unknown to those with the sign +1, whose scales alone are not 0 yet.
  std::fill_n(scratch, rows, 0.0);
  visit_columns(matrix, system, [&](std::size_t row, std::size_t column, const double* values, std::size_t count) {
    const double scale = scales[column];
    if (signs[column] < 0)
      scratch[column] = larger(scratch[column], combine_products(values, scales + row, count, larger));
    else
      for (std::size_t k = 0; k < count; ++k) scratch[row + k] = larger(scratch[row + k], std::abs(values[k]) * scale);
  });
  for (std::size_t row = 0; row < rows; ++row)
    if (signs[row] < 0) scales[row] = scratch[row] > 0 && std::isfinite(scratch[row]) ? power_of_two(1 / scratch[row]) : 1;
}

double scaled_norm(const ScaledSystem& system, double* sums) {
  const std::size_t rows = system.matrix.shape.system_rows();
  std::fill_n(sums, rows, 0.0);
  visit_columns(system.matrix, system.system,
                [&](std::size_t row, std::size_t column, const double* values, std::size_t count) {
                  const double scale = system.scales[column], *scales = system.scales + row;
                  if (row == column) {
                    sums[column] += std::abs(scale * scale * values[0] + system.shift_of(column));
                    ++row, ++values, ++scales, --count;
                  }
                  for (std::size_t k = 0; k < count; ++k) sums[row + k] += std::abs(values[k]) * scales[k] * scale;
                  sums[column] += scale * combine_products(values, scales, count, [](double a, double b) { return a + b; });
                });
  double largest = 0, total = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    largest = larger(largest, sums[row]);
    total += sums[row];
  }
  return std::isfinite(total) ? largest : total;
}

void find_residual(const ScaledSystem& system, const double* b, const double* y, double* residual, double* scratch) {
  const std::size_t rows = system.matrix.shape.system_rows();
  for (std::size_t row = 0; row < rows; ++row) scratch[row] = system.scales[row] * y[row];
  multiply_system(system.matrix, system.system, scratch, residual);
  for (std::size_t row = 0; row < rows; ++row)
    residual[row] = b[row] - system.scales[row] * residual[row] - system.shift_of(row) * y[row];
}

}  // namespace holo
