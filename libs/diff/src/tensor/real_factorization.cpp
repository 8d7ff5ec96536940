#include "holo/diff/tensor/real_factorization.h"

#include <Eigen/Cholesky>
#include <Eigen/SparseLU>
#include <limits>

#include "tensor/checks.h"
#include "tensor/dense_factorizations.h"

namespace holo {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// LU of a sparse general matrix by Eigen.
class SparseLu final : public RealFactorization {
 public:
  explicit SparseLu(const SparseMatrix& matrix) {
    lu_.compute(matrix);
    detail::count_factorization();
    if (lu_.info() != Eigen::Success)
      throw TensorError(TensorError::Kind::singular, TensorError::unknown,
                        "a sparse matrix of " + std::to_string(matrix.rows()) + " rows is singular: " + lu_.lastErrorMessage() +
                            "; there is no inverse to differentiate");
  }
  Index size() const override { return lu_.rows(); }
  void solve(const Eigen::Ref<const MatrixXd>& b, Eigen::Ref<MatrixXd> x) const override { x = lu_.solve(b); }
  void solve_transposed(const Eigen::Ref<const MatrixXd>& b, Eigen::Ref<MatrixXd> x) const override {
    x = const_cast<Lu&>(lu_).transpose().solve(b);  // Eigen's transpose() changes nothing, but is not declared const
  }

 private:
  using Lu = Eigen::SparseLU<SparseMatrix>;
  Lu lu_;
};

// A sparse symmetric factorization that its factorizer keeps: the next factorization replaces it. A solve with the transpose is
// the same solve.
class SparseSymmetric final : public RealFactorization {
 public:
  SparseSymmetric(std::shared_ptr<SparseSolver> factorization, Index size)
      : factorization_(std::move(factorization)), size_(size) {}
  Index size() const override { return size_; }
  void solve(const Eigen::Ref<const MatrixXd>& b, Eigen::Ref<MatrixXd> x) const override { factorization_->solve(b, x); }
  void solve_transposed(const Eigen::Ref<const MatrixXd>& b, Eigen::Ref<MatrixXd> x) const override { solve(b, x); }

 private:
  std::shared_ptr<SparseSolver> factorization_;
  Index size_;
};

// Whether the symbolic analysis of one matrix serves the other.
bool same_pattern(const SparseMatrix& a, const SparseMatrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.cols() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr());
}

// Names the first row whose diagonal entry is not positive, if there is one; the solver does not report the failed pivot.
[[noreturn]] void throw_not_positive(const SparseMatrix& lower) {
  Index row = TensorError::unknown;
  const Eigen::VectorXd diagonal = lower.diagonal();
  for (Index i = 0; i < diagonal.size() && row < 0; ++i)
    if (!(diagonal[i] > 0)) row = i;
  throw TensorError(TensorError::Kind::not_positive_definite, row,
                    "a sparse matrix of " + std::to_string(lower.rows()) + " rows is not positive definite" +
                        (row < 0 ? std::string()
                                 : ": its diagonal entry " + std::to_string(row) + " (counted from 0) is " +
                                       detail::number_text(diagonal[row])) +
                        "; store it as a general matrix, for LU, if it is right as it is");
}

}  // namespace

namespace detail {

DenseLu::DenseLu(const MatrixXd& matrix) {
  require_square(matrix.rows(), matrix.cols(), "a matrix to be factorized");
  require_finite(matrix, "a matrix to be factorized");
  lu_.compute(matrix);
  count_factorization();
  // A pivot within the rounding errors of its column is zero: the elimination adds errors of n epsilon times the column's
  // largest entry.
  for (Index k = 0; k < matrix.cols(); ++k) {
    const double pivot = std::abs(lu_.matrixLU()(k, k)), column = matrix.col(k).cwiseAbs().maxCoeff();
    if (pivot > double(matrix.rows()) * epsilon * column) continue;
    // The error names the row in the matrix, not in the permuted one.
    const Index row = Eigen::PermutationMatrix<Eigen::Dynamic>(lu_.permutationP().inverse()).indices()[k];
    throw TensorError(TensorError::Kind::singular, row,
                      "a matrix of " + shape_text(matrix.rows(), matrix.cols()) + " is singular: the pivot of row " +
                          std::to_string(row) + " (counted from 0) is " + number_text(pivot) +
                          " after elimination, rounding of its column's largest entry " + number_text(column) +
                          "; there is no inverse to differentiate");
  }
}

DenseLlt::DenseLlt(const MatrixXd& matrix) {
  require_square(matrix.rows(), matrix.cols(), "a matrix to be factorized");
  require_finite(matrix, "a matrix to be factorized");
  llt_.compute(matrix);
  count_factorization();
  if (llt_.info() == Eigen::Success) return;
  // Eigen reports no row, so the same elimination runs again without blocks until its pivot is not positive.
  MatrixXd l = matrix;
  for (Index k = 0; k < l.rows(); ++k) {
    const double pivot = l(k, k) - l.row(k).head(k).squaredNorm();
    if (!(pivot > 0) || k + 1 == l.rows())
      throw TensorError(TensorError::Kind::not_positive_definite, k,
                        "a symmetric matrix of " + shape_text(l.rows(), l.cols()) +
                            " is not positive definite: the pivot of row " + std::to_string(k) + " (counted from 0) is " +
                            number_text(pivot) + "; use LDLT or LU if the matrix is right as it is");
    l(k, k) = std::sqrt(pivot);
    for (Index i = k + 1; i < l.rows(); ++i) l(i, k) = (l(i, k) - l.row(i).head(k).dot(l.row(k).head(k))) / l(k, k);
  }
}

}  // namespace detail

std::shared_ptr<const RealFactorization> factorize_lu(const MatrixXd& matrix) {
  return std::make_shared<detail::DenseLu>(matrix);
}

std::shared_ptr<const RealFactorization> factorize_sparse_lu(const SparseMatrix& matrix) {
  detail::require_square(matrix.rows(), matrix.cols(), "a sparse matrix");
  return std::make_shared<SparseLu>(matrix);
}

SparseFactorizer::SparseFactorizer(SparseLibrary library) : factorization_(make_sparse_solver({.library = library})) {}

std::shared_ptr<const RealFactorization> SparseFactorizer::factorize(const SparseMatrix& lower) {
  detail::require_square(lower.rows(), lower.cols(), "a sparse matrix");
  // The symbolic analysis is done again only for another pattern.
  if (analyses_ == 0 || !same_pattern(lower, pattern_)) {
    factorization_->analyze(lower);
    pattern_ = lower;
    ++analyses_;
  }
  detail::count_factorization();
  if (!factorization_->factorize(lower)) throw_not_positive(lower);
  return std::make_shared<SparseSymmetric>(factorization_, lower.rows());
}

}  // namespace holo
