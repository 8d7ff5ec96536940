#include "holo/diff/tensor/matrix_series.h"

#include "tensor/checks.h"

namespace holo {

using Eigen::Index;
using Eigen::MatrixXd;

MatrixSeries::MatrixSeries(DerivativeSet set, Index rows, Index columns)
    : set_(std::move(set)), rows_(rows), columns_(columns), coefficients_(std::size_t(set_.size())) {
  if (rows < 1 || columns < 1)
    throw TensorError(TensorError::Kind::empty, TensorError::unknown,
                      "a matrix of " + detail::shape_text(rows, columns) + " is empty: it needs a row and a column");
}

MatrixSeries::MatrixSeries(DerivativeSet set, MatrixXd value) : MatrixSeries(std::move(set), value.rows(), value.cols()) {
  set_coefficient(0, std::move(value));
}

// Coefficients that were not set are zero and have no memory.
MatrixXd MatrixSeries::operator[](int index) const {
  return is_zero(index) ? MatrixXd(MatrixXd::Zero(rows_, columns_)) : coefficients_[index];
}

void MatrixSeries::set_coefficient(int index, MatrixXd coefficient) {
  if (index < 0 || index >= set_.size())
    detail::throw_mismatch("the index of a coefficient", std::to_string(index), "in [0, " + std::to_string(set_.size()) + ")");
  if (coefficient.rows() != rows_ || coefficient.cols() != columns_)
    detail::throw_mismatch("coefficient " + std::to_string(index), detail::shape_text(coefficient.rows(), coefficient.cols()),
                           detail::shape_text(rows_, columns_));
  detail::require_finite(coefficient, "a coefficient of a matrix");
  coefficients_[index] = std::move(coefficient);
}

// out += factor A_S x, or with the transpose of A_S.
void MatrixSeries::multiply_add(int index, bool transposed, double factor, const Eigen::Ref<const MatrixXd>& x,
                                Eigen::Ref<MatrixXd> out) const {
  if (is_zero(index)) return;
  if (transposed)
    out.noalias() += factor * coefficients_[index].transpose() * x;
  else
    out.noalias() += factor * coefficients_[index] * x;
}

// out += factor sum A_T B_U over the splits of the monomial into two parts, neither of which is empty.
void MatrixSeries::add_splits(int index, double factor, const MatrixSeries& other, MatrixXd& out) const {
  for (const auto& [first, second] : set_.splits(index))
    if (!is_zero(first) && !other.is_zero(second)) out.noalias() += factor * coefficients_[first] * other.coefficients_[second];
}

MatrixSeries MatrixSeries::transpose() const {
  MatrixSeries result(set_, columns_, rows_);
  for (int index = 0; index < set_.size(); ++index)
    if (!is_zero(index)) result.coefficients_[index] = coefficients_[index].transpose();
  return result;
}

// (A + c B)_S = A_S + c B_S. A coefficient that is zero in both stays without memory.
MatrixSeries linear_combination(const MatrixSeries& a, double factor, const MatrixSeries& b) {
  detail::require_same_set(a.set_, b.set_, "the second summand");
  if (a.rows_ != b.rows_ || a.columns_ != b.columns_)
    detail::throw_mismatch("the second summand", detail::shape_text(b.rows_, b.columns_),
                           detail::shape_text(a.rows_, a.columns_));
  MatrixSeries result = a;
  for (int index = 0; index < a.set_.size(); ++index) {
    if (b.is_zero(index)) continue;
    if (result.is_zero(index))
      result.coefficients_[index] = factor * b.coefficients_[index];
    else
      result.coefficients_[index] += factor * b.coefficients_[index];
  }
  return result;
}

MatrixSeries operator+(const MatrixSeries& a, const MatrixSeries& b) { return linear_combination(a, 1, b); }
MatrixSeries operator-(const MatrixSeries& a, const MatrixSeries& b) { return linear_combination(a, -1, b); }

MatrixSeries operator*(double factor, const MatrixSeries& a) {
  MatrixSeries result = a;
  for (MatrixXd& coefficient : result.coefficients_) coefficient *= factor;
  return result;
}

MatrixSeries operator*(const MatrixSeries& a, const MatrixSeries& b) {
  detail::require_same_set(a.set_, b.set_, "the second factor");
  if (a.columns_ != b.rows_)
    detail::throw_mismatch("the number of rows of the second factor", std::to_string(b.rows_), std::to_string(a.columns_));
  MatrixSeries result(a.set_, a.rows_, b.columns_);
  // Leibniz' rule: (A B)_S = A_S B_0 + A_0 B_S + the sum over splits of S.
  for (int index = 0; index < a.set_.size(); ++index) {
    MatrixXd sum = MatrixXd::Zero(a.rows_, b.columns_);
    if (!b.is_zero(0)) a.multiply_add(index, false, 1, b.coefficients_[0], sum);
    if (index != 0 && !b.is_zero(index)) a.multiply_add(0, false, 1, b.coefficients_[index], sum);
    a.add_splits(index, 1, b, sum);
    result.coefficients_[index] = std::move(sum);
  }
  return result;
}

SparseMatrixSeries::SparseMatrixSeries(DerivativeSet set, const SparseMatrix& value, Storage storage)
    : set_(std::move(set)), value_(value), storage_(storage), values_(std::size_t(set_.size())) {
  detail::require_square(value_.rows(), value_.cols(), "a sparse matrix");
  value_.makeCompressed();
  detail::require_finite(Eigen::Map<const Eigen::VectorXd>(value_.valuePtr(), value_.nonZeros()), "a sparse matrix's entries");
}

// Coefficients are the values of the entries in the order of the value's pattern.
void SparseMatrixSeries::set_coefficient(int index, Eigen::VectorXd entries) {
  if (index < 1 || index >= set_.size())
    detail::throw_mismatch("the index of a coefficient", std::to_string(index), "in [1, " + std::to_string(set_.size()) + ")");
  if (entries.size() != value_.nonZeros())
    detail::throw_mismatch("the number of entries of coefficient " + std::to_string(index), std::to_string(entries.size()),
                           "that of the value, " + std::to_string(value_.nonZeros()));
  detail::require_finite(entries, "a sparse matrix's entries");
  values_[index] = std::move(entries);
}

void SparseMatrixSeries::set_coefficient(int index, const SparseMatrix& coefficient) {
  const bool same =
      coefficient.isCompressed() && coefficient.rows() == value_.rows() && coefficient.cols() == value_.cols() &&
      coefficient.nonZeros() == value_.nonZeros() &&
      std::equal(value_.outerIndexPtr(), value_.outerIndexPtr() + value_.cols() + 1, coefficient.outerIndexPtr()) &&
      std::equal(value_.innerIndexPtr(), value_.innerIndexPtr() + value_.nonZeros(), coefficient.innerIndexPtr());
  if (!same) detail::throw_mismatch("the pattern of coefficient " + std::to_string(index), "another", "that of the value");
  set_coefficient(index, Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(coefficient.valuePtr(), coefficient.nonZeros())));
}

void SparseMatrixSeries::multiply_add(int index, bool transposed, double factor, const Eigen::Ref<const MatrixXd>& x,
                                      Eigen::Ref<MatrixXd> out) const {
  if (is_zero(index)) return;
  // All coefficients have the value's pattern, and share its index arrays.
  const Eigen::Map<const SparseMatrix> a(value_.rows(), value_.cols(), value_.nonZeros(), value_.outerIndexPtr(),
                                         value_.innerIndexPtr(), index == 0 ? value_.valuePtr() : values_[index].data());
  if (storage_ == Storage::symmetric_lower)
    out += a.selfadjointView<Eigen::Lower>() * MatrixXd(factor * x);
  else if (transposed)
    out += factor * (a.transpose() * x);
  else
    out += factor * (a * x);
}

}  // namespace holo
