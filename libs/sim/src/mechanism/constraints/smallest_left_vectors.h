#pragma once
// The smallest singular values of a sparse matrix and their left vectors, by block inverse iteration.

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace holo {

struct LeftSingularVectors {
  Eigen::VectorXd values;   // ascending
  Eigen::MatrixXd vectors;  // [row][value], orthonormal
};

// The `count` smallest singular values, at most as many as rows; of a matrix with more rows than columns the missing ones are
// 0. Values are accurate to 1e-10 of the largest singular value, and their vectors to 1e-11 over the relative distance to the
// next larger value. Memory and time grow with the sparse factor and with the number of values that lie close to each other;
// only where all do is this the work of a dense decomposition.
LeftSingularVectors smallest_left_vectors_by_iteration(const Eigen::SparseMatrix<double>& matrix, Eigen::Index count);

// A lower bound of the largest singular value, accurate to 1e-6 if the next values are not close, else to their distance.
double largest_singular_value_by_iteration(const Eigen::SparseMatrix<double>& matrix);

}  // namespace holo
