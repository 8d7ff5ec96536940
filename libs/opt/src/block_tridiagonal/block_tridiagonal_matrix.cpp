#include "holo/opt/block_tridiagonal/block_tridiagonal_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "block_tridiagonal/dense_products.h"
#include "holo/core/error.h"
#include "holo/core/numerics/blas.h"

namespace holo {

void check_shape(const BlockTridiagonalShape& shape) {
  constexpr int most_block_rows = 4096, most_rows = 100'000'000;
  if (shape.block_size >= 1 && shape.block_size <= most_block_rows && shape.blocks >= 1 &&
      shape.blocks <= most_rows / shape.block_size && shape.systems >= 1)
    return;
  throw Error(Failure::internal, "a block-tridiagonal matrix has " + std::to_string(shape.systems) + " systems of " +
                                     std::to_string(shape.blocks) + " blocks with " + std::to_string(shape.block_size) +
                                     " rows; allowed are at least one system and one block, 1 to " +
                                     std::to_string(most_block_rows) + " rows of a block, and at most " +
                                     std::to_string(most_rows) + " rows of a system");
}

BlockTridiagonalMatrix::BlockTridiagonalMatrix(const BlockTridiagonalShape& shape) : shape_(shape) {
  check_shape(shape);
  diagonal_ = AlignedArray(shape.diagonal_entries());
  subdiagonal_ = AlignedArray(shape.subdiagonal_entries());
}

void BlockTridiagonalMatrix::set_zero() {
  std::fill_n(diagonal_.data(), diagonal_.size(), 0.0);
  std::fill_n(subdiagonal_.data(), subdiagonal_.size(), 0.0);
}

double& BlockTridiagonalMatrix::entry(int system, std::size_t row, std::size_t column) {
  const std::size_t size = std::size_t(shape_.block_size), block_row = row / size, block_column = column / size;
  if (system < 0 || system >= shape_.systems || row >= shape_.system_rows() || row < column || block_row > block_column + 1)
    throw Error(Failure::internal, "entry (" + std::to_string(row) + ", " + std::to_string(column) + ") of system " +
                                       std::to_string(system) + " is not stored: rows are at most " +
                                       std::to_string(shape_.system_rows()) +
                                       ", not less than the column, and at most one block of " + std::to_string(size) +
                                       " below it; systems are " + std::to_string(shape_.systems));
  double* block =
      block_row == block_column ? diagonal_block(system, int(block_row)) : subdiagonal_block(system, int(block_column));
  return block[column % size * std::size_t(shape_.leading_dimension()) + row % size];
}

void multiply_system(const BlockTridiagonalView& matrix, int system, const double* x, double* y) {
  const int size = matrix.shape.block_size, ld = matrix.shape.leading_dimension(), step = 1;
  const double one = 1, zero = 0;
  for (int i = 0; i < matrix.shape.blocks; ++i) {
    const std::size_t row = std::size_t(i) * std::size_t(size);
    dsymv_("L", &size, &one, matrix.diagonal_block(system, i), &ld, x + row, &step, &zero, y + row, &step);
    if (i > 0)
      add_product("N", size, size, 1, matrix.subdiagonal_block(system, i - 1), ld, x + row - size, 0, 1, y + row, 0, 1);
    if (i + 1 < matrix.shape.blocks)
      add_product("T", size, size, 1, matrix.subdiagonal_block(system, i), ld, x + row + size, 0, 1, y + row, 0, 1);
  }
}

void multiply(const BlockTridiagonalView& matrix, std::span<const double> x, std::span<double> y, int columns) {
  check_shape(matrix.shape);
  const std::size_t entries = matrix.shape.rows() * std::size_t(std::max(columns, 0));
  if (columns < 1 || x.size() != entries || y.size() != entries)
    throw Error(Failure::internal, "a product of a block-tridiagonal matrix of " + std::to_string(matrix.shape.rows()) +
                                       " rows with " + std::to_string(columns) + " columns was given " +
                                       std::to_string(x.size()) + " and " + std::to_string(y.size()) + " numbers instead of " +
                                       std::to_string(entries));
  prepare_blas();
  const std::size_t rows = matrix.shape.system_rows();
  for (std::size_t i = 0; i < std::size_t(columns) * std::size_t(matrix.shape.systems); ++i)
    multiply_system(matrix, int(i % std::size_t(matrix.shape.systems)), x.data() + i * rows, y.data() + i * rows);
}

double infinity_norm(const BlockTridiagonalView& matrix, int system) {
  const std::size_t size = std::size_t(matrix.shape.block_size), ld = std::size_t(matrix.shape.leading_dimension());
  std::vector<double> sums(matrix.shape.system_rows(), 0.0);
  for (int i = 0; i < matrix.shape.blocks; ++i) {
    double* own = sums.data() + std::size_t(i) * size;
    const double* diagonal = matrix.diagonal_block(system, i);
    for (std::size_t column = 0; column < size; ++column)
      for (std::size_t row = column; row < size; ++row) {
        const double value = std::abs(diagonal[column * ld + row]);
        own[row] += value;
        if (row != column) own[column] += value;
      }
    if (i + 1 == matrix.shape.blocks) break;
    const double* below = matrix.subdiagonal_block(system, i);
    for (std::size_t column = 0; column < size; ++column)
      for (std::size_t row = 0; row < size; ++row) {
        const double value = std::abs(below[column * ld + row]);
        own[size + row] += value;
        own[column] += value;
      }
  }
  const double largest = *std::max_element(sums.begin(), sums.end());
  const bool is_number = std::none_of(sums.begin(), sums.end(), [](double sum) { return std::isnan(sum); });
  return is_number ? largest : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace holo
