#pragma once
// A simple eigenvalue of a symmetric matrix of derivative scalars, and its eigenvector.

#include <Eigen/Core>

#include "holo/diff/tensor/matrix_series.h"

namespace holo {

struct Eigenpair {
  ScalarSeries value;   // [derivatives]
  MatrixSeries vector;  // [n][1], v^T v = 1
};

// The eigenvalue `number`, counted from the least, from one decomposition of A_0. The largest entry of v_0 is positive. Throws
// TensorError: repeated_eigenvalue where its distance to another is below 1e-10 of the largest (v is then no function of A, and
// the eigenvalue in general not differentiable), not_symmetric, not_finite, empty, dimension_mismatch.
Eigenpair symmetric_eigenpair(const MatrixSeries& A, Eigen::Index number);

// The eigenpair of a sparse matrix (storage symmetric_lower), from that of A_0, by one factorization of the bordered matrix
// [A_0 - lambda I, v; v^T, 0]. v is normalized here. Throws TensorError: no_eigenpair where |A v - lambda v| exceeds 1e-8 |A|,
// repeated_eigenvalue where the bordered matrix is singular to 1e-10, dimension_mismatch.
Eigenpair symmetric_eigenpair(const SparseMatrixSeries& A, double value, const Eigen::VectorXd& vector);

}  // namespace holo
