#pragma once
// How the contributions of elements are summed into the sparse Hessian of an elastic model.

#include <cstddef>
#include <vector>

#include "holo/core/numerics/sparse_solver.h"

namespace holo {

// How element contributions are summed into the matrix, in a fixed order and with as little memory as possible. A unit is nine
// doubles that one element adds in one place: unit v (0..3) is (lower triangle of its 3x3 diagonal block by columns, gradient)
// of its v-th vertex, units 4..9 its six blocks below the diagonal by columns, (1,0) (2,0) (3,0) (2,1) (3,1) (3,2). The
// elements of one chunk, near each other in space, add their units up in partial sums of the chunk's own; then each place of
// the matrix adds up the partial sums of the few chunks that reach it.
struct ElasticPattern {
  static constexpr std::size_t chunk_blocks = 64;  // blocks of one chunk, 512 elements in lanes of eight

  static constexpr int read_ahead = 12;  // entries of `partials` that are fetched before they are needed

  SparseMatrix matrix;                      // lower triangle, every block of two vertices of an element; values 0
  std::vector<int> unit_partials;           // [slot][10] the partial sum that each unit is added to
  std::vector<std::size_t> chunk_partials;  // [chunk + 1] first partial sum of each chunk; the last of each takes padding
  std::vector<int> place_begin;    // [vertex + 1] first place of each vertex's column: the diagonal, then rows ascending
  std::vector<int> place_row;      // [place] row vertex
  std::vector<int> partial_begin;  // [place + 1] first entry in `partials`
  std::vector<int> partials;       // partial sums of each place, by chunk; then `read_ahead` zeros
};

}  // namespace holo
