#pragma once
// The parts around a material's operation, a block of elements in lanes: gather records, deformation gradients, chain to the
// vertices, scatter. Shared by every kernel that works in lanes, so that only the operation differs.

#include "holo/comparison/elements.h"
#include "holo/diff/lanes.h"
#include "holo/diff/matrix.h"

namespace holo::comparison {

inline constexpr int width = LaneBlock::width;

struct BlockGeometry {
  Matrix3<LaneBlock> inverse_rest;
  LaneBlock volume;
};

// Reads `width` records; F, row-major, goes to [9][lane].
void gather_block(const ElementRecord* elements, double* F, BlockGeometry& geometry);

// From P [9][lane], d2psi/dF2 [45][lane] to the records of `width` elements.
void scatter_gradient(const double* P, const BlockGeometry& geometry, double* output);
void scatter_hessian(const double* hessian, const BlockGeometry& geometry, double* output);
void scatter_symmetric_hessian(const double* hessian, const BlockGeometry& geometry, double* output);

// Their stores alone.
void scatter_constant_gradient(double* output);
void scatter_constant_hessian(double* output);
void scatter_constant_symmetric_hessian(double* output);

}  // namespace holo::comparison
