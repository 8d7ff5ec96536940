#pragma once
// Checks of the arguments that all block-tridiagonal solvers take.

#include <span>

#include "holo/opt/block_tridiagonal/block_tridiagonal_solver.h"

namespace holo {

// Throws Error(internal) with what was found and what is allowed.
void check_block_tridiagonal_options(const BlockTridiagonalShape& shape, std::span<const signed char> signs,
                                     const BlockTridiagonalOptions& options);

}  // namespace holo
