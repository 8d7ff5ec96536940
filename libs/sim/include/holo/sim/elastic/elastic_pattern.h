#pragma once
// Pattern of the sparse Hessian of an elastic model, and the order in which the contributions of elements are summed.

#include <cstddef>
#include <vector>

#include "holo/core/numerics/sparse_solver.h"

namespace holo {

// Contributions of elements are summed in a fixed order and with as little memory as possible, in two levels:
//
//   block          quadrature points of HOLO_LANE_WIDTH elements, one in each lane
//   cluster        `cluster_blocks` consecutive blocks. Their elements are near each other in space.
//   stencil entry  nine doubles of those that an element of n vertices contributes. Entry v < n is the lower triangle of the
//                  3x3 diagonal block of its v-th vertex by columns, then the gradient of that vertex; the n (n - 1) / 2 others
//                  are the blocks below the diagonal by columns: (1,0) (2,0) (3,0) (2,1) (3,1) (3,2) of four vertices.
//   partial sum    the sum of the stencil entries of one cluster that belong to the same matrix entry
//   matrix entry   a 3x3 block of the lower triangle, with the gradient for a diagonal one: the sum of the partial sums of the
//                  few clusters that reach it
struct ElasticPattern {
  static constexpr std::size_t cluster_blocks = 64;  // 512 elements in lanes of eight

  static constexpr std::size_t entries_of(int nodes) { return static_cast<std::size_t>(nodes * (nodes + 1) / 2); }

  static constexpr int read_ahead = 12;  // items of `partials` that are fetched before they are needed

  SparseMatrix matrix;                     // lower triangle, every block of two vertices of an element; values 0
  std::vector<int> sum_of_entry;           // [element's place][entry] the partial sum that each stencil entry is added to
  std::vector<std::size_t> cluster_begin;  // [cluster + 1] first partial sum of each cluster; the last of each takes padding
  std::vector<int> entry_begin;    // [vertex + 1] first matrix entry of each vertex's column: the diagonal, then rows ascending
  std::vector<int> entry_row;      // [matrix entry] row vertex
  std::vector<int> partial_begin;  // [matrix entry + 1] first item in `partials`
  std::vector<int> partials;       // the partial sums of each matrix entry, by cluster; then `read_ahead` zeros
};

}  // namespace holo
