#pragma once
// The order in which a sparse symmetric indefinite matrix is eliminated, from its pattern alone.

#include <vector>

#include "holo/core/numerics/sparse_solver.h"

namespace holo {

// AMD of the graph in which each row without a diagonal entry (a constraint of a saddle point system) and a neighbor that has
// one are one vertex: the two can be eliminated together, where the row alone would have to wait. [k]: the k-th row.
std::vector<int> elimination_order(const SparseMatrix& lower);

}  // namespace holo
