#pragma once
// Hessians of isotropic energies in the principal axes of F.

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/solid/symmetric_packing.h"

namespace holo {

// matrix += weight v v^T on its upper half, of 9 entries. Skipped where every lane's weight is 0.
HOLO_INLINE void add_outer_product(LaneBlock weight, const LaneBlock* v, LaneBlock* matrix) {
  if (!any(weight != LaneBlock(0.0))) return;
#pragma GCC unroll 9
  for (int i = 0; i < 9; ++i) {
    const LaneBlock weighted = weight * v[i];
#pragma GCC unroll 9
    for (int j = i; j < 9; ++j) matrix[upper_index<9>(i, j)] += weighted * v[j];
  }
}

// With F = U S V^T, the Hessian of an isotropic energy couples u_i v_j^T only with u_j v_i^T, and the three u_i v_i^T with each
// other [Smith2019]. Where the matrix (upper half, of the given largest entry) does so, takes its negative part off in
// the wanted lanes; returns in which lanes it would have. The other lanes stay as they are: energies that are not isotropic,
// and F without full rank.
LaneBlock::Mask remove_negative_part_in_principal_axes(const LaneBlock* F, LaneBlock::Mask wanted, LaneBlock largest,
                                                       LaneBlock* matrix);

}  // namespace holo
