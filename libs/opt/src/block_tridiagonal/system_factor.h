#pragma once
// A factorization of one system of a batch.

#include <optional>

#include "block_tridiagonal/frontal_panel.h"
#include "block_tridiagonal/scaled_system.h"
#include "holo/core/numerics/sparse_solver.h"

namespace holo {

class SystemFactor {
 public:
  virtual ~SystemFactor() = default;
  // False if the pivots break down or, with pivoting, if the matrix is singular.
  virtual bool factor(const ScaledSystem& system) = 0;
  // x [column][block][row] is the right-hand side on entry and the solution on return.
  virtual void solve(double* x, int columns) = 0;
  // Of the last factorization, as far as it is known: pivots have the signs of the eigenvalues.
  virtual std::optional<MatrixInertia> inertia() const = 0;
  // Pivots with another sign than expected. With pivoting a single pivot has no expected sign: half of the difference from the
  // expected inertia.
  virtual int wrong_signs() const = 0;
};

}  // namespace holo
