#include "trajectory/banded_layout.h"

#include <algorithm>

namespace holo {

namespace {

// H couples points at most so far apart, and A too; with groups of that many points, none couples to the next but one.
int group_size(const BandedSaddleShape& shape) {
  return std::max({1, shape.hessian_reach, shape.jacobian_before, shape.jacobian_after});
}

}  // namespace

BandedLayout::BandedLayout(const BandedBlocks& blocks) {
  const BandedSaddleShape& points = blocks.shape();
  const int group = group_size(points), count = points.points();
  for (int begin = 0; begin < count; begin += group) {
    const int end = std::min(begin + group, count);
    shape_.block_size = std::max(shape_.block_size, blocks.first_unknown(end) - blocks.first_unknown(begin) +
                                                        blocks.first_constraint(end) - blocks.first_constraint(begin));
    ++shape_.blocks;
  }
  check_shape(shape_);
  signs_.assign(shape_.system_rows(), 1);
  for (int begin = 0, row = 0; begin < count; begin += group) {
    const int end = std::min(begin + group, count), next = row + shape_.block_size;
    for (int point = begin; point < end; ++point) {
      first_unknown_row_.push_back(row);
      for (int i = 0; i < points.unknowns[std::size_t(point)]; ++i) unknown_rows_.push_back(row++);
    }
    for (int point = begin; point < end; ++point) {
      first_constraint_row_.push_back(row);
      for (int i = 0; i < points.constraints[std::size_t(point)]; ++i) {
        signs_[std::size_t(row)] = -1;
        constraint_rows_.push_back(row++);
      }
    }
    while (row < next) padding_rows_.push_back(row++);
  }
}

BandedLayout::Place BandedLayout::place(BlockTridiagonalMatrix& matrix, int row, int rows, int column, int columns) const {
  const int size = shape_.block_size, block = column / size, ld = shape_.leading_dimension();
  double* entries = row / size == block ? matrix.diagonal_block(0, block) : matrix.subdiagonal_block(0, block);
  return {entries + column % size * ld + row % size, rows, columns, Eigen::OuterStride<>(ld)};
}

double& BandedLayout::diagonal(BlockTridiagonalMatrix& matrix, int row) const { return place(matrix, row, 1, row, 1)(0, 0); }

void BandedLayout::write_hessian(const BandedBlocks& blocks, int point, int earlier, BlockTridiagonalMatrix& matrix) const {
  const ConstBlockReference block = blocks.hessian_block(point, earlier);
  if (block.size() == 0) return;
  Place target = place(matrix, first_unknown_row_[std::size_t(point)], int(block.rows()),
                       first_unknown_row_[std::size_t(earlier)], int(block.cols()));
  if (point == earlier)
    target.triangularView<Eigen::Lower>() = block.triangularView<Eigen::Lower>();
  else
    target = block;
}

void BandedLayout::write_jacobian(const BandedBlocks& blocks, int constraint_point, int unknown_point,
                                  BlockTridiagonalMatrix& matrix) const {
  const ConstBlockReference block = blocks.jacobian_block(constraint_point, unknown_point);
  if (block.size() == 0) return;
  const int row = first_constraint_row_[std::size_t(constraint_point)], column = first_unknown_row_[std::size_t(unknown_point)];
  // Unknowns of a later group stand below the constraints.
  if (row > column)
    place(matrix, row, int(block.rows()), column, int(block.cols())) = block;
  else
    place(matrix, column, int(block.cols()), row, int(block.rows())) = block.transpose();
}

}  // namespace holo
