#pragma once
// Iterative refinement of the solutions of one scaled system.

#include <vector>

#include "block_tridiagonal/system_factor.h"
#include "holo/core/numerics/aligned_array.h"

namespace holo {

// Scratch memory of the solutions of one system: vectors are [column][block][row].
struct RefinementWorkspace {
  RefinementWorkspace(std::size_t rows, int columns);

  AlignedArray right_hand_side, solution, residual, step;
  AlignedArray product;           // [3][block][row]
  std::vector<double> errors;     // [column]
  std::vector<char> is_finished;  // [column]
};

struct RefinementResult {
  int refinements = 0;
  double backward_error = 0;  // the largest of the columns; infinite for solutions that are not finite
};

// Solves (S K S + shift) y = c for c = workspace.right_hand_side to y = workspace.solution, and refines it with residuals of
// the shifted matrix, until the backward error |c - K y| / (|K| |y| + |c|) of each column in the largest norm is at most
// `target`, or a step does not halve it, or `most_steps` were taken. `norm` is that of the shifted matrix.
RefinementResult solve_and_refine(const ScaledSystem& system, double norm, SystemFactor& factor, int columns, double target,
                                  int most_steps, RefinementWorkspace& workspace);

}  // namespace holo
