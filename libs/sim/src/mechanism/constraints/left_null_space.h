#pragma once
// Rank and left null space of a sparse matrix, in time that grows with its factor and not with the cube of its size.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

namespace holo {

struct LeftNullSpace {
  int rank = 0;                                        // number of singular values above the tolerance
  Eigen::MatrixXd vectors;                             // [row][nullity], orthonormal
  double smallest_counted = 0, largest_uncounted = 0;  // singular values on both sides of the tolerance: estimates
};

// Singular values up to `tolerance` times the largest one count as 0. By a sparse QR decomposition of the transposed matrix;
// its rank is checked by singular values, and where the check leaves a doubt block inverse iteration for the smallest singular
// values decides.
LeftNullSpace left_null_space(const Eigen::SparseMatrix<double>& matrix, double tolerance);

// Left singular vectors of the `count` smallest among the singular values of a matrix with at most as many rows as columns, or
// of the values that are missing where it has more rows: orthonormal, [row][count], in any order. In
// the same way.
Eigen::MatrixXd smallest_left_vectors(const Eigen::SparseMatrix<double>& matrix, int count);

// The chosen rows, entries that are 0 included: the pattern does not depend on the values.
Eigen::SparseMatrix<double> chosen_rows(const Eigen::SparseMatrix<double>& matrix, const std::vector<int>& chosen);
// Each row divided by its length; a row of zeros stays one.
void normalize_rows(Eigen::SparseMatrix<double>& matrix);

}  // namespace holo
