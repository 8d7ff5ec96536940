#pragma once
// The elimination order of a sparse symmetric indefinite matrix, from its pattern alone.

#include <vector>

#include "holo/core/numerics/sparse_solver.h"

namespace holo {

// The approximate minimum degree order (AMD) of a compressed graph. Each row without a diagonal entry (a constraint of a saddle
// point system) and a neighbor with a diagonal entry are one vertex of it, since they can be eliminated together as a pair,
// while the row alone has no pivot. Returns the k-th row to be eliminated, [k].
std::vector<int> elimination_order(const SparseMatrix& lower);

}  // namespace holo
