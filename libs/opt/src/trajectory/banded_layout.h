#pragma once
// The places of a trajectory's unknowns, constraints and blocks in a block-tridiagonal matrix.

#include <Eigen/Core>
#include <vector>

#include "holo/opt/block_tridiagonal/block_tridiagonal_matrix.h"
#include "holo/opt/trajectory/banded_blocks.h"

namespace holo {

// Groups of successive points are the blocks; a group has the unknowns of its points, then their constraints, then padding.
// Groups are as small as the reaches of H and A allow: two points at most one group apart are coupled.
class BandedLayout {
 public:
  explicit BandedLayout(const BandedBlocks& blocks);

  const BlockTridiagonalShape& shape() const { return shape_; }                 // of one system
  const std::vector<signed char>& signs() const { return signs_; }              // [row]: -1 of constraints
  const std::vector<int>& unknown_rows() const { return unknown_rows_; }        // [unknown], ascending
  const std::vector<int>& constraint_rows() const { return constraint_rows_; }  // [constraint], ascending
  const std::vector<int>& padding_rows() const { return padding_rows_; }

  // Writes a block of H or A to its place in the lower triangle of a matrix; of a block of H's diagonal the lower triangle.
  void write_hessian(const BandedBlocks& blocks, int point, int earlier, BlockTridiagonalMatrix& matrix) const;
  void write_jacobian(const BandedBlocks& blocks, int constraint_point, int unknown_point,
                      BlockTridiagonalMatrix& matrix) const;
  // The entry of a row's diagonal.
  double& diagonal(BlockTridiagonalMatrix& matrix, int row) const;

 private:
  using Place = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  // The rows and columns below the diagonal, in one block of the matrix.
  Place place(BlockTridiagonalMatrix& matrix, int row, int rows, int column, int columns) const;

  BlockTridiagonalShape shape_;
  std::vector<signed char> signs_;
  std::vector<int> unknown_rows_, constraint_rows_, padding_rows_;
  std::vector<int> first_unknown_row_, first_constraint_row_;  // [point]
};

}  // namespace holo
