#include "holo/core/numerics/sparse_factorization.h"

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "numerics/sparse_factorizations.h"

namespace holo {

namespace {

std::string size_text(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

}  // namespace

void AnalysedPattern::set(const SparseMatrix& lower) {
  if (lower.rows() != lower.cols())
    throw Error(Failure::internal,
                "cannot factorize a matrix of " + size_text(lower.rows(), lower.cols()) + ": it is not square");
  if (!lower.isCompressed()) throw Error(Failure::internal, "cannot factorize an uncompressed sparse matrix");
  column_starts_.assign(lower.outerIndexPtr(), lower.outerIndexPtr() + lower.cols() + 1);
  rows_.assign(lower.innerIndexPtr(), lower.innerIndexPtr() + lower.nonZeros());
  analysed_ = true;
}

void AnalysedPattern::require(const SparseMatrix& lower) const {
  const bool same = analysed_ && lower.isCompressed() && lower.rows() == lower.cols() &&
                    column_starts_.size() == static_cast<std::size_t>(lower.cols()) + 1 &&
                    std::equal(column_starts_.begin(), column_starts_.end(), lower.outerIndexPtr()) &&
                    std::equal(rows_.begin(), rows_.end(), lower.innerIndexPtr());
  if (!same) throw Error(Failure::internal, "the matrix has another pattern than the one that was analysed: analyze it first");
}

bool all_finite(const SparseMatrix& matrix) {
  const double* values = matrix.valuePtr();
  return std::all_of(values, values + matrix.nonZeros(), [](double value) { return std::isfinite(value); });
}

void require_solvable(bool factorized, Eigen::Index size, const Eigen::Ref<const Eigen::MatrixXd>& b,
                      const Eigen::Ref<const Eigen::MatrixXd>& x) {
  if (!factorized) throw Error(Failure::internal, "cannot solve: the last factorization failed, or there is none");
  if (b.rows() != size || x.rows() != size || b.cols() != x.cols())
    throw Error(Failure::internal, "cannot solve a system of " + std::to_string(size) + " rows: the right-hand side is " +
                                       size_text(b.rows(), b.cols()) + ", the solution " + size_text(x.rows(), x.cols()));
}

std::unique_ptr<SparseFactorization> make_sparse_factorization(FactorizationKind kind) {
#ifdef HOLO_ENABLE_GPL
  if (kind != FactorizationKind::eigen_ldlt) return make_cholmod_factorization();
#else
  if (kind == FactorizationKind::cholmod_supernodal)
    throw Error(Failure::input,
                "this build has no CHOLMOD (it was configured with HOLO_ENABLE_GPL=OFF); choose eigen_ldlt or automatic");
#endif
  return make_eigen_factorization();
}

}  // namespace holo
