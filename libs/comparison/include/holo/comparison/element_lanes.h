#pragma once
// The steps before and after a material's operation, for a block of elements in lanes: gather of records, deformation
// gradients, chain to the vertices, scatter. All kernels in lanes share them, so that they differ in the operation alone.

#include "holo/comparison/elements.h"
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/matrix.h"
#include "holo/sim/elastic/element_frame.h"

namespace holo::comparison {

inline constexpr int width = LaneBlock::width;

using BlockGeometry = QuadraturePoint<4>;

// Rows of a block's gradient, and of the upper half by rows of its Hessian with zeros up to whole registers.
struct VertexRows {
  static constexpr int gradient(int a, int i) { return 3 * a + i; }
  static constexpr int hessian(int a, int i, int b, int j) { return upper_index<12>(3 * a + i, 3 * b + j); }
};

// Reads `width` records; F, row-major, goes to [9][lane].
void gather_block(const ElementRecord* elements, double* F, BlockGeometry& geometry);

// Chains P [9][lane] or d2psi/dF2 [45][lane] to the vertices, and writes the records of `width` elements.
void scatter_gradient(const double* P, const BlockGeometry& geometry, double* output);
void scatter_hessian(const double* hessian, const BlockGeometry& geometry, double* output);
void scatter_symmetric_hessian(const double* hessian, const BlockGeometry& geometry, double* output);

// The same from rows of VertexRows, 12 or 80 [row][lane].
void scatter_gradient_rows(const double* rows, double* output);
void scatter_hessian_rows(const double* rows, double* output);
void scatter_symmetric_hessian_rows(const double* rows, double* output);

}  // namespace holo::comparison
