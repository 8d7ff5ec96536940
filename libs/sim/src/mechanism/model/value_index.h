#pragma once
// Where an entry of a sparse pattern stands among its values.

#include <Eigen/SparseCore>
#include <algorithm>

namespace holo {

// Of a compressed matrix; the entry exists.
inline int value_index(const Eigen::SparseMatrix<double>& pattern, int row, int column) {
  const int* begin = pattern.innerIndexPtr() + pattern.outerIndexPtr()[column];
  const int* end = pattern.innerIndexPtr() + pattern.outerIndexPtr()[column + 1];
  return int(std::lower_bound(begin, end, row) - pattern.innerIndexPtr());
}

}  // namespace holo
