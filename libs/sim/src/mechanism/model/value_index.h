#pragma once
// The index of an entry of a sparse pattern among its values.

#include <Eigen/SparseCore>
#include <algorithm>

namespace holo {

// `pattern` must be compressed and have the entry.
inline int value_index(const Eigen::SparseMatrix<double>& pattern, int row, int column) {
  const int* begin = pattern.innerIndexPtr() + pattern.outerIndexPtr()[column];
  const int* end = pattern.innerIndexPtr() + pattern.outerIndexPtr()[column + 1];
  return int(std::lower_bound(begin, end, row) - pattern.innerIndexPtr());
}

}  // namespace holo
