#pragma once
// LLT, LDLT and LU of matrices of derivative scalars: the factors' derivatives of every order from the factors of A_0 alone.

#include <Eigen/Core>

#include "holo/diff/tensor/matrix_series.h"

namespace holo {

// A = L L^T, L lower triangular with a positive diagonal. A is symmetric. Throws TensorError: not_positive_definite with the
// row of the pivot, not_symmetric, not_finite, empty, dimension_mismatch.
MatrixSeries llt_decomposition(const MatrixSeries& A);

// P A P^T = L D L^T, L with a unit diagonal. The pivots are chosen by the value A_0 and kept for the derivatives.
struct LdltDecomposition {
  Eigen::PermutationMatrix<Eigen::Dynamic> P;
  MatrixSeries L;
  MatrixSeries D;  // [n][1], the diagonal
};
// A is symmetric, definite or not. Throws TensorError: singular with the row (of A) whose pivot vanished, and as above.
LdltDecomposition ldlt_decomposition(const MatrixSeries& A);

// P A = L U, L with a unit diagonal. The pivots are chosen by the value A_0 and kept for the derivatives.
struct LuDecomposition {
  Eigen::PermutationMatrix<Eigen::Dynamic> P;
  MatrixSeries L, U;
};
// Throws TensorError: singular with the row whose pivot vanished, not_finite, empty, dimension_mismatch.
LuDecomposition lu_decomposition(const MatrixSeries& A);

}  // namespace holo
