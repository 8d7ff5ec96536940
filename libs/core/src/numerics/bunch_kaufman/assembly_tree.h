#pragma once
// The assembly tree of a multifrontal factorization: each node eliminates a few neighboring columns in one dense front and adds
// the Schur complement of the front to its parent's. [DuffReid1983]

#include <vector>

#include "holo/core/numerics/sparse_solver.h"

namespace holo {

// Columns of the matrix are numbered in the order of elimination ("pivots").
struct AssemblyTree {
  std::vector<int> row_of_pivot;      // [pivot] row of the matrix
  std::vector<int> first_pivot;       // [node + 1]; a node's pivots are consecutive, and nodes stand in postorder
  std::vector<int> parent;            // [node], -1 for a root
  std::vector<int> row_starts, rows;  // [node + 1]; pivots of the node's further rows, ascending
  std::vector<int> entry_starts;      // [node + 1]; the matrix's entries that belong to a node's columns:
  struct Entry {
    int value, row, column;  // index among the matrix's values; pivots, row >= column
  };
  std::vector<Entry> entries;

  AssemblyTree() = default;
  // `order`: [k] the k-th row of the matrix to be eliminated; only its tree is kept.
  AssemblyTree(const SparseMatrix& lower, const std::vector<int>& order);

  int node_count() const { return int(parent.size()); }
};

}  // namespace holo
