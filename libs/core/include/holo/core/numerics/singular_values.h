#pragma once
// The singular value decomposition of a real dense matrix, A = U diag(values) V^T. By LAPACK, which OpenBLAS
// holds: each file that uses Eigen's template compiles for half a minute.

#include <Eigen/Core>

namespace holo {

struct SingularValueDecomposition {
  Eigen::VectorXd values;  // min(rows, columns) of them, from the largest
  Eigen::MatrixXd U;       // left vectors, square and orthogonal; empty unless asked for
  Eigen::MatrixXd V;       // right vectors, square and orthogonal; empty unless asked for
};

enum class SingularVectors { none, left, right, both };

// Allocates. A matrix with a value that is not finite gives values that are not.
SingularValueDecomposition singular_value_decomposition(const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                                                        SingularVectors vectors);

Eigen::VectorXd singular_values(const Eigen::Ref<const Eigen::MatrixXd>& matrix);  // min(rows, columns), from the largest

}  // namespace holo
