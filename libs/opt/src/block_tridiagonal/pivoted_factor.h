#pragma once
// Factorizations with pivoting of one scaled system as a sparse matrix.

#include <memory>

#include "block_tridiagonal/system_factor.h"

namespace holo {

// By SparseSolver: kind `indefinite` gives the inertia, `general` is LU. They order and analyze the pattern of nonzeros, which
// is taken anew where it has changed, and allocate memory.
std::unique_ptr<SystemFactor> make_pivoted_factor(MatrixKind kind);

}  // namespace holo
