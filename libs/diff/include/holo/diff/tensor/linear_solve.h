#pragma once
// Solves, inverses and determinants of matrices of derivative scalars with ONE real factorization, whatever the order: with
// nilpotent units the system is block triangular with A_0 on the whole diagonal, so
//   A x = b:   x_S = A_0^-1 (b_S - sum_{0 != T subset S} A_T x_{S\T})   in order of |S|,
// a solve for each derivative and no more factorizations. All derivatives of one degree are solved as one block.
//
//   Factorized A(series);                       // factors A_0
//   MatrixSeries x = A.solve(b), z = A.solve_transposed(w);
//   ScalarSeries d = A.determinant();
//
// With DerivativeSet::up_to_second(p) this is a full Hessian: one factorization and 1 + p + p(p+1)/2 solves.

#include <memory>

#include "holo/diff/tensor/matrix_series.h"
#include "holo/diff/tensor/real_factorization.h"

namespace holo {

// With a given factorization of A's value, which several series may share. b: [size][columns], of A's set of derivatives.
// Throws TensorError for shapes or sets that do not fit.
MatrixSeries solve(const RealFactorization& factorization, const MatrixSeries& A, const MatrixSeries& b);
MatrixSeries solve(const RealFactorization& factorization, const SparseMatrixSeries& A, const MatrixSeries& b);
MatrixSeries solve_transposed(const RealFactorization& factorization, const MatrixSeries& A, const MatrixSeries& b);
MatrixSeries solve_transposed(const RealFactorization& factorization, const SparseMatrixSeries& A, const MatrixSeries& b);

class Factorized {
 public:
  enum class Method { lu, llt };  // llt: for symmetric positive definite matrices

  // Throws TensorError: empty, dimension_mismatch (not square), singular, not_positive_definite, not_symmetric (llt).
  explicit Factorized(MatrixSeries A, Method method = Method::lu);

  const MatrixSeries& matrix() const { return A_; }
  const std::shared_ptr<const RealFactorization>& factorization() const { return factorization_; }
  MatrixSeries solve(const MatrixSeries& b) const { return holo::solve(*factorization_, A_, b); }
  MatrixSeries solve_transposed(const MatrixSeries& b) const { return holo::solve_transposed(*factorization_, A_, b); }
  MatrixSeries inverse() const;
  ScalarSeries determinant() const;
  // log |det A|; of an indefinite matrix too.
  ScalarSeries log_determinant() const;

 private:
  MatrixSeries A_;
  double determinant_ = 1, log_determinant_ = 0;  // of the value
  std::shared_ptr<const RealFactorization> factorization_;
};

// Sparse: general storage by LU; symmetric storage by core's factorization (positive definite), whose analysis of the pattern
// the caller may keep by passing a factorizer.
class SparseFactorized {
 public:
  explicit SparseFactorized(SparseMatrixSeries A, SparseFactorizer* factorizer = nullptr);

  const SparseMatrixSeries& matrix() const { return A_; }
  MatrixSeries solve(const MatrixSeries& b) const { return holo::solve(*factorization_, A_, b); }
  MatrixSeries solve_transposed(const MatrixSeries& b) const { return holo::solve_transposed(*factorization_, A_, b); }

 private:
  SparseMatrixSeries A_;
  std::unique_ptr<SparseFactorizer> own_;
  std::shared_ptr<const RealFactorization> factorization_;
};

// The determinant, also of a singular matrix: by the polynomial up to three rows, else from the singular values. Each set of at
// most `order` singular values below a tenth of the largest costs a small determinant.
ScalarSeries determinant(const MatrixSeries& A);

// sum a_T b_{S\T}, and 1/a. Throws TensorError(singular) where the value of a is 0.
ScalarSeries multiply(const DerivativeSet& set, const ScalarSeries& a, const ScalarSeries& b);
ScalarSeries reciprocal(const DerivativeSet& set, const ScalarSeries& a);

}  // namespace holo
