#pragma once
// The positive part of symmetric 9x9 matrices: the nearest one (Frobenius) without negative eigenvalues, as a Newton step on an
// energy that is not convex needs it [Teran2005].
//
// These are matrices of any material, already put together. Where an energy is written in principal stretches, its plugin
// projects the blocks in the principal axes, before the matrix is put together: project_positive_semidefinite of
// holo/diff/tensor/stretch_projection.h, which knows the axes and needs neither the test nor the shift below. The results agree
// to rounding and not bit by bit, so both exist.

#include <cstddef>
#include <cstdint>

namespace holo {

// `matrices`: [block][45][lane], the upper halves by rows as they cross the plugin ABI; blocks on HOLO_BLOCK_ALIGNMENT
// boundaries. Each is replaced by its positive part: a matrix that a Cholesky factorization with a shift of 1e-13 of its
// largest entry finds positive stays as it is bit by bit; for the others the sum of lambda v v^T over negative eigenvalues is
// taken off, to about 1e-13 of the matrix's norm. Matrices with entries that are not finite come back not finite.
// `deformation_gradients`: [block][9][lane] at which the matrices are Hessians d2Psi/dF2, or null. Where an energy is
// isotropic, its Hessian falls apart in the principal axes of F into one 3x3 and three 2x2 blocks [Smith2019], which is eight
// times faster than cyclic Jacobi sweeps on all nine rows. Whether it does is tested on every matrix; one that does not is
// swept. `projected`: [block][lane], 1 where the matrix was changed. Returns how many were, copies in padding included.
// Deterministic: a matrix's result depends on the call's arguments alone. Allocates nothing.
std::size_t project_hessians(double* matrices, const double* deformation_gradients, std::size_t block_count,
                             std::uint8_t* projected);

}  // namespace holo
