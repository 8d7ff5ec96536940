#pragma once
// Real matrix products on plain arrays, by columns.

namespace holo::detail {

// C += factor op(A) op(B); rows and columns are those of A and B as stored.
void real_multiply_add(double factor, const double* A, int a_rows, int a_columns, bool transpose_a, const double* B, int b_rows,
                       int b_columns, bool transpose_b, double* C);

}  // namespace holo::detail
