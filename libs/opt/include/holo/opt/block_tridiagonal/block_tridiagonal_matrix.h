#pragma once
// Symmetric block-tridiagonal matrices in flat arrays, one or a batch of equal shapes, and their products with vectors.
//
// A system has D diagonal blocks K_ii and D - 1 subdiagonal blocks K_{i+1,i}, all B x B and dense. The systems of a batch lie
// one after the other and are not coupled. Vectors of a batch are [column][system][block][row] without padding.

#include <cstddef>
#include <span>

#include "holo/core/numerics/aligned_array.h"

namespace holo {

// `check_shape` tells what is allowed.
struct BlockTridiagonalShape {
  int block_size = 0;  // B, rows and columns of a block
  int blocks = 0;      // D, diagonal blocks of a system
  int systems = 1;     // of the batch

  // Of the columns of a block, whole cache lines.
  int leading_dimension() const { return (block_size + 15) / 16 * 16; }
  std::size_t block_entries() const { return std::size_t(leading_dimension()) * std::size_t(block_size); }  // with padding
  std::size_t system_rows() const { return std::size_t(blocks) * std::size_t(block_size); }
  std::size_t rows() const { return std::size_t(systems) * system_rows(); }
  std::size_t diagonal_entries() const { return std::size_t(systems) * std::size_t(blocks) * block_entries(); }
  std::size_t subdiagonal_entries() const { return std::size_t(systems) * std::size_t(blocks - 1) * block_entries(); }
  bool operator==(const BlockTridiagonalShape&) const = default;
};
// Throws Error(internal) with what was found and what is allowed: 1 to 4096 rows of a block, at least one block and system, and
// at most 1e8 rows of a system.
void check_shape(const BlockTridiagonalShape& shape);

// The blocks of a batch, which the caller owns, in the memory of the solver that reads them. Columns are contiguous and
// leading_dimension() apart; the padding is not read. Faster where they begin on cache lines (64 bytes).
struct BlockTridiagonalView {
  BlockTridiagonalShape shape;
  const double* diagonal = nullptr;     // [system][block][column][row]; the lower triangles alone are read
  const double* subdiagonal = nullptr;  // [system][block][column][row]: block i has the rows of i + 1 and the columns of i

  const double* diagonal_block(int system, int block) const {
    return diagonal + (std::size_t(system) * std::size_t(shape.blocks) + std::size_t(block)) * shape.block_entries();
  }
  const double* subdiagonal_block(int system, int block) const {
    return subdiagonal + (std::size_t(system) * std::size_t(shape.blocks - 1) + std::size_t(block)) * shape.block_entries();
  }
};

// The blocks of a batch in the memory of the processor; zeros at first.
class BlockTridiagonalMatrix {
 public:
  BlockTridiagonalMatrix() = default;
  explicit BlockTridiagonalMatrix(const BlockTridiagonalShape& shape);  // throws as check_shape does

  const BlockTridiagonalShape& shape() const { return shape_; }
  BlockTridiagonalView view() const { return {shape_, diagonal_.data(), subdiagonal_.data()}; }
  operator BlockTridiagonalView() const { return view(); }  // NOLINT: a view of it is what functions take

  // The first entry of a block; the entry of a row and a column is [column * leading_dimension() + row].
  double* diagonal_block(int system, int block) { return const_cast<double*>(view().diagonal_block(system, block)); }
  double* subdiagonal_block(int system, int block) { return const_cast<double*>(view().subdiagonal_block(system, block)); }
  // The entry of two rows of a system: of the lower triangle of a diagonal block, or of a subdiagonal block (row > column).
  // Throws Error(internal) for an entry outside these.
  double& entry(int system, std::size_t row, std::size_t column);

  void set_zero();

 private:
  BlockTridiagonalShape shape_;
  AlignedArray diagonal_, subdiagonal_;
};

// y = K x for all systems and columns; each vector [column][system][block][row]. x and y are different memory. Of a
// saddle-point matrix [H A^T; A 0] and x = [p; 0] these are H p and A p at once. Throws Error(internal) for other sizes.
void multiply(const BlockTridiagonalView& matrix, std::span<const double> x, std::span<double> y, int columns = 1);

// The same of one system and one column: x, y are [block][row].
void multiply_system(const BlockTridiagonalView& matrix, int system, const double* x, double* y);

// The largest sum of moduli of a row of a system; NaN if an entry that is read is NaN.
double infinity_norm(const BlockTridiagonalView& matrix, int system);

}  // namespace holo
