#include "block_tridiagonal/scaled_system.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "holo/diff/lanes/lanes.h"

namespace holo {

namespace {

constexpr double least_diagonal = 1e-8;  // relative to the largest: scales differ by 1e4 at most

// The power of two next to a positive number.
double power_of_two(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(1.0, fraction < 0.70710678118654752 ? exponent - 1 : exponent);
}

// Registers of any alignment.
constexpr std::size_t lanes = std::size_t(LaneBlock::width);
LaneBlock load_lanes(const double* from) {
  LaneBlock result;
  std::memcpy(&result.values, from, sizeof(result.values));
  return result;
}
void store_lanes(const LaneBlock& value, double* to) { std::memcpy(to, &value.values, sizeof(value.values)); }

// Combinations of moduli with weights: their sum and the largest. NaN is ignored by the latter.
struct AddProduct {
  static LaneBlock combine(const LaneBlock& a, const LaneBlock& b) { return a + b; }
  static double combine(double a, double b) { return a + b; }
};
struct TakeLarger {
  static LaneBlock combine(const LaneBlock& a, const LaneBlock& b) {
    return LaneBlock::of(a.values < b.values ? b.values : a.values);
  }
  static double combine(double a, double b) { return a < b ? b : a; }
};

// result[row] = combination of |block[column][row]| weights[column] over the columns, or of the lower triangle over those up to
// the row. A register of rows runs over all columns, so that partial results stay in registers.
template <class Combination>
void combine_columns(const double* block, std::size_t size, std::size_t ld, bool is_lower, const double* weights,
                     double* result) {
  constexpr std::size_t chains = 4;  // independent partial results
  std::size_t row = 0;
  LaneBlock numbers;
  for (int lane = 0; lane < LaneBlock::width; ++lane) numbers.set(lane, lane);
  for (; row + lanes <= size; row += lanes) {
    LaneBlock partial[chains];
    for (LaneBlock& value : partial) value = LaneBlock(0.0);
    const double* from = block + row;
    const auto moduli = [&](std::size_t column) { return abs(load_lanes(from + column * ld)) * LaneBlock(weights[column]); };
    const std::size_t whole = is_lower ? row + 1 : size;  // columns with all of the rows
    std::size_t column = 0;
    for (; column + chains <= whole; column += chains)
      for (std::size_t j = 0; j < chains; ++j) partial[j] = Combination::combine(partial[j], moduli(column + j));
    for (; column < whole; ++column) partial[0] = Combination::combine(partial[0], moduli(column));
    if (is_lower)
      for (std::size_t skipped = 1; skipped < lanes; ++skipped)
        partial[skipped % chains] = Combination::combine(
            partial[skipped % chains], select(numbers < LaneBlock(double(skipped)), LaneBlock(0.0), moduli(row + skipped)));
    store_lanes(
        Combination::combine(Combination::combine(partial[0], partial[2]), Combination::combine(partial[1], partial[3])),
        result + row);
  }
  for (; row < size; ++row) {
    result[row] = 0;
    for (std::size_t column = 0; column < (is_lower ? row + 1 : size); ++column)
      result[row] = Combination::combine(result[row], std::abs(block[column * ld + row]) * weights[column]);
  }
}

// The largest |values[k]| scales[k] with begin <= k < end.
double largest_product(const double* values, const double* scales, std::size_t begin, std::size_t end) {
  LaneBlock partial(0.0);
  double result = 0;
  std::size_t k = begin;
  for (; k + lanes <= end; k += lanes)
    partial = TakeLarger::combine(partial, abs(load_lanes(values + k)) * load_lanes(scales + k));
  for (; k < end; ++k) result = TakeLarger::combine(result, std::abs(values[k]) * scales[k]);
  for (int lane = 0; lane < LaneBlock::width; ++lane) result = TakeLarger::combine(result, partial[lane]);
  return result;
}

// The scales of unknowns with the sign +1; 0 for the others.
void scale_unknowns(const BlockTridiagonalView& matrix, int system, const signed char* signs, double* scales) {
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
}

// The blocks of a system, and what is found of their rows.
struct BlockSweep {
  const BlockTridiagonalView& matrix;
  int system;
  double* scales;  // [block][row]
  double* result;  // [row], scratch memory
  std::size_t size = std::size_t(matrix.shape.block_size), ld = std::size_t(matrix.shape.leading_dimension());

  // Calls combine(first row, row, result of the row) for the rows of the blocks in the columns of `block`.
  template <class Combination, class Take>
  void visit_rows(int block, const Take& take) const {
    const std::size_t first = std::size_t(block) * size;
    combine_columns<Combination>(matrix.diagonal_block(system, block), size, ld, true, scales + first, result);
    for (std::size_t row = 0; row < size; ++row) take(first + row, result[row]);
    if (block + 1 == matrix.shape.blocks) return;
    combine_columns<Combination>(matrix.subdiagonal_block(system, block), size, ld, false, scales + first, result);
    for (std::size_t row = 0; row < size; ++row) take(first + size + row, result[row]);
  }
};

// The scales of multipliers in the rows of `block`, after the blocks in its columns and in those before have been visited.
void scale_multipliers(const BlockSweep& sweep, int block, const signed char* signs, double* couplings) {
  const std::size_t size = sweep.size, first = std::size_t(block) * size;
  // Columns of multipliers have the scale 0 up to now.
  sweep.visit_rows<TakeLarger>(block, [&](std::size_t row, double value) { couplings[row] = std::max(couplings[row], value); });
  const double* below = block + 1 < sweep.matrix.shape.blocks ? sweep.matrix.subdiagonal_block(sweep.system, block) : nullptr;
  for (std::size_t c = 0; c < size; ++c) {
    if (signs[first + c] > 0) continue;
    const double* column = sweep.matrix.diagonal_block(sweep.system, block) + c * sweep.ld;
    double& coupling = couplings[first + c];
    coupling = std::max(coupling, largest_product(column, sweep.scales + first, c, size));
    if (below != nullptr)
      coupling = std::max(coupling, largest_product(below + c * sweep.ld, sweep.scales + first + size, 0, size));
  }
  for (std::size_t row = first; row < first + size; ++row)
    if (signs[row] < 0)
      sweep.scales[row] = couplings[row] > 0 && std::isfinite(couplings[row]) ? power_of_two(1 / couplings[row]) : 1;
}

}  // namespace

double equilibrate(const BlockTridiagonalView& matrix, int system, const signed char* signs, double* scales, double* scratch) {
  const std::size_t rows = matrix.shape.system_rows();
  double *couplings = scratch, *sums = scratch + rows;
  std::fill_n(scratch, 2 * rows, 0.0);
  if (signs != nullptr) scale_unknowns(matrix, system, signs, scales);
  const BlockSweep sweep{matrix, system, scales, scratch + 2 * rows};
  // A block's sums follow the scales of the next one, so that the block is read from memory once.
  const int blocks = matrix.shape.blocks;
  for (int block = 0; block <= blocks; ++block) {
    if (block < blocks && signs != nullptr) scale_multipliers(sweep, block, signs, couplings);
    if (block > 0)
      sweep.visit_rows<AddProduct>(block - 1, [&](std::size_t row, double sum) { sums[row] += scales[row] * sum; });
  }
  const double total = std::accumulate(sums, sums + rows, 0.0);
  return std::isfinite(total) ? *std::max_element(sums, sums + rows) : total;
}

void find_residual(const ScaledSystem& system, const double* b, const double* y, double* residual, double* scratch) {
  const std::size_t rows = system.matrix.shape.system_rows();
  for (std::size_t row = 0; row < rows; ++row) scratch[row] = system.scales[row] * y[row];
  multiply_system(system.matrix, system.system, scratch, residual);
  for (std::size_t row = 0; row < rows; ++row)
    residual[row] = b[row] - system.scales[row] * residual[row] - system.shift_of(row) * y[row];
}

}  // namespace holo
