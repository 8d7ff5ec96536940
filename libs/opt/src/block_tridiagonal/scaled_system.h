#pragma once
// One system of a batch with symmetric scaling and a shift of its diagonal, without a copy of the blocks.

#include "holo/opt/block_tridiagonal/block_tridiagonal_matrix.h"

namespace holo {

// S K S + shift with a diagonal S of powers of two, which round nothing; the shift is `positive_shift` on unknowns with the
// sign +1 and -`negative_shift` on those with -1.
struct ScaledSystem {
  BlockTridiagonalView matrix;
  int system = 0;
  const double* scales = nullptr;      // [block][row]
  const signed char* signs = nullptr;  // [block][row]
  double positive_shift = 0, negative_shift = 0;

  double shift_of(std::size_t row) const { return signs[row] > 0 ? positive_shift : -negative_shift; }
};

// Finds the scales and returns the largest sum of moduli of a row of the lower triangle of S K S, which bounds the norm of the
// largest row from below; it is not finite if an entry is not. The scales:
// 1 / sqrt(K_ii) of unknowns with the sign +1, with K_ii at least 1e-8 of the largest; then for those with the sign -1 the
// reciprocal of the largest scaled entry that couples them to the others. So the saddle-point matrix [H A^T; A 0] gets ones on
// the diagonal of H, and rows of A whose largest entries are about 1. 1 where there are no such entries. `scales` is
// [block][row], the scratch memory three times that. Without signs the scales are input.
double equilibrate(const BlockTridiagonalView& matrix, int system, const signed char* signs, double* scales, double* scratch);

// residual = b - (S K S + shift) y of one column; `scratch` [block][row].
void find_residual(const ScaledSystem& system, const double* b, const double* y, double* residual, double* scratch);

}  // namespace holo
