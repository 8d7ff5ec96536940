#include "holo/core/numerics/sparse_solver.h"

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "numerics/sparse_solvers.h"

namespace holo {

namespace {

std::string size_text(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

// Whether all entries that a factorization reads are finite: of a symmetric matrix those of the lower triangle.
bool has_finite_values(const SparseMatrix& matrix, bool symmetric) {
  for (int column = 0; column < matrix.outerSize(); ++column)
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
      if (!std::isfinite(entry.value()) && !(symmetric && entry.row() < entry.col())) return false;
  return true;
}

#ifdef HOLO_ENABLE_GPL
constexpr bool with_gpl = true;
#else
constexpr bool with_gpl = false;
#endif

const char* kind_name(MatrixKind kind) {
  switch (kind) {
    case MatrixKind::positive_definite:
      return "positive_definite";
    case MatrixKind::indefinite:
      return "indefinite";
    case MatrixKind::general:
      return "general";
  }
  return "unknown";
}

// The libraries that factorize a kind of matrix, the preferred one first.
std::vector<SparseLibrary> libraries_of(MatrixKind kind) {
  switch (kind) {
    case MatrixKind::positive_definite:
      return {SparseLibrary::cholmod, SparseLibrary::eigen};
    case MatrixKind::indefinite:
      return {SparseLibrary::bunch_kaufman};
    case MatrixKind::general:
      return {SparseLibrary::umfpack, SparseLibrary::klu, SparseLibrary::eigen};
  }
  return {};
}

// Throws the reason with the libraries of this build that factorize the kind of matrix.
[[noreturn]] void refuse(const SparseSolverOptions& options, const std::string& reason) {
  std::string allowed = "automatic";
  for (SparseLibrary library : libraries_of(options.matrix))
    if (is_available(library)) allowed += ", " + to_string(library);
  throw Error(Failure::input, reason + "; choose one of " + allowed);
}

SparseLibrary chosen_library(const SparseSolverOptions& options) {
  const std::vector<SparseLibrary> libraries = libraries_of(options.matrix);
  if (options.library == SparseLibrary::automatic)
    return *std::find_if(libraries.begin(), libraries.end(), [](SparseLibrary library) { return is_available(library); });
  const std::string name = to_string(options.library);
  if (std::find(libraries.begin(), libraries.end(), options.library) == libraries.end())
    refuse(options, "the sparse solver '" + name + "' does not factorize matrices of the kind " + kind_name(options.matrix));
  if (!is_available(options.library))
    refuse(options, "this build has no sparse solver '" + name + "' (it was configured with HOLO_ENABLE_GPL=OFF)");
  return options.library;
}

}  // namespace

std::string to_string(SparseLibrary library) {
  switch (library) {
    case SparseLibrary::automatic:
      return "automatic";
    case SparseLibrary::cholmod:
      return "cholmod";
    case SparseLibrary::eigen:
      return "eigen";
    case SparseLibrary::klu:
      return "klu";
    case SparseLibrary::umfpack:
      return "umfpack";
    case SparseLibrary::bunch_kaufman:
      return "bunch_kaufman";
  }
  return "unknown";
}

std::string to_string(SparseSolver::Outcome outcome) {
  switch (outcome) {
    case SparseSolver::Outcome::none:
      return "is not factorized";
    case SparseSolver::Outcome::factorized:
      return "is factorized";
    case SparseSolver::Outcome::not_finite:
      return "has a number that is not finite, or its factor has";
    case SparseSolver::Outcome::not_positive_definite:
      return "is not positive definite";
    case SparseSolver::Outcome::singular:
      return "is singular";
  }
  return "unknown";
}

bool is_available(SparseLibrary library) {
  return with_gpl || (library != SparseLibrary::cholmod && library != SparseLibrary::umfpack);
}

void SparseSolver::analyze(const SparseMatrix& matrix) {
  if (matrix.rows() != matrix.cols())
    throw Error(Failure::internal,
                "cannot factorize a matrix of " + size_text(matrix.rows(), matrix.cols()) + ": it is not square");
  if (!matrix.isCompressed()) throw Error(Failure::internal, "cannot factorize an uncompressed sparse matrix");
  // The solver keeps the pattern, to refuse matrices of another one later. An exception leaves it without an analysis.
  outcome_ = Outcome::none;
  analyzed_ = false;
  column_starts_.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.cols() + 1);
  rows_.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
  size_ = matrix.rows();
  if (!rows_.empty()) analyze_pattern(matrix);
  analyzed_ = true;
}

bool SparseSolver::has_pattern_of(const SparseMatrix& matrix) const {
  return analyzed_ && matrix.isCompressed() && matrix.rows() == matrix.cols() && matrix.cols() == size_ &&
         rows_.size() == static_cast<std::size_t>(matrix.nonZeros()) &&
         std::equal(column_starts_.begin(), column_starts_.end(), matrix.outerIndexPtr()) &&
         std::equal(rows_.begin(), rows_.end(), matrix.innerIndexPtr());
}

bool SparseSolver::factorize(const SparseMatrix& matrix) {
  outcome_ = Outcome::none;
  if (!has_pattern_of(matrix))
    throw Error(Failure::internal, analyzed_ ? "the matrix has another pattern than the one that was analyzed: analyze it first"
                                             : "cannot factorize a matrix before a pattern is analyzed");
  ++factorizations_;
  if (!has_finite_values(matrix, options_.matrix != MatrixKind::general)) {
    outcome_ = Outcome::not_finite;
    return false;
  }
  // Refinement needs the matrix itself, and a library that refines reads it while it solves.
  if (options_.refinement_steps > 0 || refines()) values_.assign(matrix.valuePtr(), matrix.valuePtr() + matrix.nonZeros());
  if (!rows_.empty())
    outcome_ = factorize_values(matrix);
  else if (size_ == 0)
    outcome_ = Outcome::factorized;
  else  // libraries refuse a matrix without entries
    outcome_ = options_.matrix == MatrixKind::positive_definite ? Outcome::not_positive_definite : Outcome::singular;
  return outcome_ == Outcome::factorized;
}

void SparseSolver::solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const {
  solve_checked(b, x, false);
}

void SparseSolver::solve_transposed(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const {
  solve_checked(b, x, options_.matrix == MatrixKind::general);
}

void SparseSolver::solve_checked(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x,
                                 bool transposed) const {
  if (outcome_ != Outcome::factorized) throw Error(Failure::internal, "cannot solve: the last matrix " + to_string(outcome_));
  if (b.rows() != size_ || x.rows() != size_ || b.cols() != x.cols())
    throw Error(Failure::internal, "cannot solve a system of " + std::to_string(size_) + " rows: the right-hand side is " +
                                       size_text(b.rows(), b.cols()) + ", the solution " + size_text(x.rows(), x.cols()));
  if (b.size() == 0) return;
  if (options_.refinement_steps == 0 || refines())
    solve_factorized(b, x, transposed);
  else
    refine(b, x, transposed);
}

// Iterative refinement: each step solves for the residual of the solution so far and adds the result.
void SparseSolver::refine(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x, bool transposed) const {
  const Eigen::Map<const SparseMatrix> a(size_, size_, static_cast<Eigen::Index>(rows_.size()), column_starts_.data(),
                                         rows_.data(), values_.data());
  const Eigen::MatrixXd right = b;  // x may be b
  Eigen::MatrixXd change(size_, b.cols());
  solve_factorized(right, x, transposed);
  for (int step = 0; step < options_.refinement_steps; ++step) {
    if (options_.matrix != MatrixKind::general)
      change = right - a.selfadjointView<Eigen::Lower>() * x;
    else if (transposed)
      change = right - a.transpose() * x;
    else
      change = right - a * x;
    solve_factorized(change, change, transposed);
    x += change;
  }
}

std::optional<MatrixInertia> SparseSolver::inertia() const {
  if (outcome_ != Outcome::factorized && outcome_ != Outcome::singular) return std::nullopt;
  if (options_.matrix == MatrixKind::general) return std::nullopt;
  // Cholesky's factorization exists only for positive eigenvalues; a matrix without entries has zeros alone.
  if (options_.matrix == MatrixKind::positive_definite) return MatrixInertia{size_, 0, 0};
  return rows_.empty() ? MatrixInertia{0, 0, size_} : factor_inertia();
}

std::unique_ptr<SparseSolver> make_sparse_solver(const SparseSolverOptions& options) {
  const SparseLibrary library = chosen_library(options);
  if (options.ordering == SparseOrdering::metis && library != SparseLibrary::umfpack)
    throw Error(Failure::input, "the sparse solver '" + to_string(library) + "' has no choice of ordering; METIS is umfpack's");
  switch (library) {
#ifdef HOLO_ENABLE_GPL
    case SparseLibrary::cholmod:
      return make_cholmod_solver(options);
    case SparseLibrary::umfpack:
      return make_umfpack_solver(options);
#endif
    case SparseLibrary::klu:
      return make_klu_solver(options);
    case SparseLibrary::bunch_kaufman:
      return make_bunch_kaufman_solver(options);
    default:
      return options.matrix == MatrixKind::general ? make_eigen_lu_solver(options) : make_eigen_ldlt_solver(options);
  }
}

}  // namespace holo
