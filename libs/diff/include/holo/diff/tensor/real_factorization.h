#pragma once
// The one factorization of a real matrix A_0 that serves every derivative order: solves with it and with its transpose, for
// blocks of right-hand sides.

#include <Eigen/Core>
#include <memory>

#include "holo/core/numerics/sparse_solver.h"

namespace holo {

// Real factorizations (LU, LLT, LDLT, eigenvectors, singular values; dense or sparse) that this thread has made in the tensor
// functions. Their derivatives need none.
long factorization_count();

// Constant after its making.
class RealFactorization {
 public:
  virtual ~RealFactorization() = default;
  virtual Eigen::Index size() const = 0;
  // x = A_0^-1 b, A_0^-T b, for one or more columns; x may not overlap b.
  virtual void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const = 0;
  virtual void solve_transposed(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const = 0;
};

// All throw TensorError for a matrix that is empty, not square or not finite.

// By LU with row pivoting. Throws TensorError(singular) with the row whose pivot vanished to rounding.
std::shared_ptr<const RealFactorization> factorize_lu(const Eigen::MatrixXd& matrix);
// By LU of a general sparse matrix. Throws TensorError(singular).
std::shared_ptr<const RealFactorization> factorize_sparse_lu(const SparseMatrix& matrix);

// A symmetric positive definite sparse matrix (lower triangle) by core's direct factorization. The pattern is analyzed once for
// all matrices that have it; each call of factorize() replaces the factor that the last one gave.
class SparseFactorizer {
 public:
  explicit SparseFactorizer(SparseLibrary library = SparseLibrary::automatic);
  // Throws TensorError(not_positive_definite), with the row where a diagonal entry shows it, else with -1. The result is
  // valid until the next call.
  std::shared_ptr<const RealFactorization> factorize(const SparseMatrix& lower);
  int analyses() const { return analyses_; }

 private:
  std::shared_ptr<SparseSolver> factorization_;
  SparseMatrix pattern_;
  int analyses_ = 0;
};

}  // namespace holo
