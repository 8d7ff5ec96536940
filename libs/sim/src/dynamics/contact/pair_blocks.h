#pragma once
// Between the vector of all positions and the four nodes of a pair, of which some may be fixed.

#include "contact/active_pairs.h"
#include "holo/sim/dynamics/block_assembler.h"

namespace holo {

// The rows of a pair's nodes [12][column] in columns [3 * vertex][column]; 0 of fixed nodes.
inline Eigen::Matrix<double, 12, Eigen::Dynamic> rows_of_pair(const MeshContact& contact, const std::array<int, 4>& vertices,
                                                              const Eigen::Ref<const Eigen::MatrixXd>& columns) {
  Eigen::Matrix<double, 12, Eigen::Dynamic> rows = Eigen::Matrix<double, 12, Eigen::Dynamic>::Zero(12, columns.cols());
  for (int i = 0; i < 4; ++i)
    if (const int vertex = vertices[static_cast<std::size_t>(i)]; !contact.is_fixed(vertex))
      rows.middleRows<3>(3 * i) = columns.middleRows<3>(3 * vertex);
  return rows;
}

// The same of one column, without allocation.
inline PairVector rows_of_pair(const MeshContact& contact, const std::array<int, 4>& vertices, const Eigen::VectorXd& values) {
  PairVector rows = PairVector::Zero();
  for (int i = 0; i < 4; ++i)
    if (const int vertex = vertices[static_cast<std::size_t>(i)]; !contact.is_fixed(vertex))
      rows.segment<3>(3 * i) = values.segment<3>(3 * vertex);
  return rows;
}

// The rows and columns of free nodes.
inline void add_pair_hessian(const MeshContact& contact, const std::array<int, 4>& vertices, const PairMatrix& hessian,
                             BlockAssembler& assembler) {
  std::array<double, 9> block;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j <= i; ++j) {
      const int row = vertices[static_cast<std::size_t>(i)], column = vertices[static_cast<std::size_t>(j)];
      if (contact.is_fixed(row) || contact.is_fixed(column)) continue;
      Eigen::Map<Eigen::Matrix3d> values(block.data());
      values = hessian.block<3, 3>(3 * i, 3 * j);
      // Blocks of nodes that are not among the closest features would only widen the matrix's pattern.
      if (!values.isZero(0)) assembler.add_block(row, column, block);
    }
}

}  // namespace holo
