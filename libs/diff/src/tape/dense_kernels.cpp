#include "holo/diff/tape/dense_kernels.h"

#include <Eigen/Core>
#include <string>

#include "holo/diff/tensor/tensor_error.h"

namespace holo::detail {

void require_shape(bool fits, const char* operation, int a_rows, int a_columns, int b_rows, int b_columns);

namespace {

template <class A, class B, class C>
void add_product(double factor, const A& a, const B& b, C&& c) {
  if (a.rows() * a.cols() * b.cols() <= 512)  // without packing, and without memory of its own
    c.noalias() += factor * a.lazyProduct(b);
  else
    c.noalias() += factor * a * b;
}

}  // namespace

void real_multiply_add(double factor, const double* A, int a_rows, int a_columns, bool transpose_a, const double* B, int b_rows,
                       int b_columns, bool transpose_b, double* C) {
  const Eigen::Map<const Eigen::MatrixXd> a(A, a_rows, a_columns), b(B, b_rows, b_columns);
  Eigen::Map<Eigen::MatrixXd> c(C, transpose_a ? a_columns : a_rows, transpose_b ? b_rows : b_columns);
  if (transpose_a && transpose_b)
    add_product(factor, a.transpose(), b.transpose(), c);
  else if (transpose_a)
    add_product(factor, a.transpose(), b, c);
  else if (transpose_b)
    add_product(factor, a, b.transpose(), c);
  else
    add_product(factor, a, b, c);
}

void require_shape(bool fits, const char* operation, int a_rows, int a_columns, int b_rows, int b_columns) {
  if (fits) return;
  const auto shape = [](int rows, int columns) { return std::to_string(rows) + " x " + std::to_string(columns); };
  throw TensorError(TensorError::Kind::dimension_mismatch, TensorError::unknown,
                    std::string(operation) + " on a tape: shapes " + shape(a_rows, a_columns) + " and " +
                        shape(b_rows, b_columns) + " do not fit");
}

}  // namespace holo::detail
