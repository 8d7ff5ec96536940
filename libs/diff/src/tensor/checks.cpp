#include "tensor/checks.h"

#include <cstdio>
#include <string>

#include "holo/diff/tensor/real_factorization.h"

namespace holo {
namespace {

long& counter() {
  thread_local long count = 0;
  return count;
}

}  // namespace

long factorization_count() { return counter(); }

namespace detail {

void count_factorization() { ++counter(); }

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string shape_text(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

void throw_mismatch(const std::string& what, const std::string& found, const std::string& wanted) {
  throw TensorError(TensorError::Kind::dimension_mismatch, TensorError::unknown,
                    what + " is " + found + "; it must be " + wanted);
}

void require_finite(const Eigen::Ref<const Eigen::MatrixXd>& matrix, const char* what) {
  if (matrix.allFinite()) return;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      if (!std::isfinite(matrix(i, j)))
        throw TensorError(TensorError::Kind::not_finite, i,
                          std::string(what) + " has the entry " + number_text(matrix(i, j)) + " in row " + std::to_string(i) +
                              ", column " + std::to_string(j) + " (counted from 0); all entries must be finite");
}

void require_square(Eigen::Index rows, Eigen::Index columns, const char* what) {
  if (rows == 0 || columns == 0)
    throw TensorError(TensorError::Kind::empty, TensorError::unknown,
                      std::string(what) + " is empty: it needs a row and a column");
  if (rows != columns) throw_mismatch(what, shape_text(rows, columns), "square");
}

void require_same_set(const DerivativeSet& a, const DerivativeSet& b, const char* what) {
  if (!(a == b))
    throw_mismatch(std::string("the set of derivatives of ") + what, "another (" + std::to_string(b.size()) + " coefficients)",
                   "that of the matrix (" + std::to_string(a.size()) + " coefficients)");
}

void require_symmetric(const MatrixSeries& a, const char* what) {
  require_square(a.rows(), a.columns(), what);
  for (int index = 0; index < a.set().size(); ++index) {
    if (a.is_zero(index)) continue;
    const Eigen::MatrixXd coefficient = a[index];
    Eigen::Index row = 0, column = 0;
    const double worst = (coefficient - coefficient.transpose()).cwiseAbs().maxCoeff(&row, &column);
    if (worst > 1e-12 * coefficient.cwiseAbs().maxCoeff())
      throw TensorError(TensorError::Kind::not_symmetric, row,
                        std::string(what) + " is not symmetric: in coefficient " + std::to_string(index) + " the entries (" +
                            std::to_string(row) + ", " + std::to_string(column) + ") and its mirror differ by " +
                            number_text(worst) + "; take the symmetric part");
  }
}

}  // namespace detail
}  // namespace holo
