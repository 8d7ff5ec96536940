#include <klu.h>

#include <cmath>
#include <new>

#include "holo/core/error.h"
#include "holo/core/numerics/workspace_pool.h"
#include "numerics/sparse_solvers.h"

namespace holo {

namespace {

// Bounds for pivots in the order of the last factorization, which is used again while the reciprocal growth of the factors is
// above the first one. A matrix counts as singular if the ratio of its smallest to its largest pivot is below the second one.
constexpr double smallest_growth_of_kept_pivots = 1e-8, smallest_pivot_ratio = 1e-14;

// LU of the block triangular form by KLU [Davis2010]. A factorization uses the last one's order of pivots while it is stable.
class KluSolver final : public SparseSolver {
 public:
  explicit KluSolver(const SparseSolverOptions& options) : SparseSolver(options) { klu_defaults(&common_); }
  ~KluSolver() override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }

  std::string name() const override { return "KLU of the block triangular form (AMD ordering, 1 thread)"; }
  std::size_t factor_nonzeros() const override {
    return numeric_ == nullptr || size() == 0 ? 0 : static_cast<std::size_t>(numeric_->lnz + numeric_->unz + numeric_->nzoff);
  }

 protected:
  void analyze_pattern(const SparseMatrix& matrix) override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
    symbolic_ = klu_analyze(static_cast<int>(matrix.rows()), const_cast<int*>(matrix.outerIndexPtr()),
                            const_cast<int*>(matrix.innerIndexPtr()), &common_);
    if (common_.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
    if (symbolic_ == nullptr && common_.status != KLU_SINGULAR)
      throw Error(Failure::internal, "KLU cannot analyze a sparse matrix of " + std::to_string(matrix.rows()) +
                                         " rows (status " + std::to_string(common_.status) + ")");
  }

  Outcome factorize_values(const SparseMatrix& matrix) override {
    if (symbolic_ == nullptr || symbolic_->structural_rank < symbolic_->n) return Outcome::singular;
    if (numeric_ != nullptr && factorize_again(matrix)) return Outcome::factorized;
    klu_free_numeric(&numeric_, &common_);
    numeric_ = klu_factor(starts(matrix), indices(matrix), numbers(matrix), symbolic_, &common_);
    if (common_.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
    if (numeric_ != nullptr && common_.status == KLU_OK && is_regular()) return Outcome::factorized;
    klu_free_numeric(&numeric_, &common_);
    return Outcome::singular;
  }

  // KLU uses work memory of the factor. Each solve replaces it by memory of its own, so that several threads may solve.
  void solve_factorized(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x,
                        bool transposed) const override {
    WorkspacePool<std::vector<double>>::Lease work(workspaces_);
    work->resize(4 * static_cast<std::size_t>(size()));
    klu_numeric numeric = *numeric_;
    numeric.Xwork = work->data();
    klu_common common = common_;
    if (x.data() != b.data()) x = b;
    const int n = static_cast<int>(size());
    for (Eigen::Index column = 0; column < b.cols(); ++column)
      transposed ? klu_tsolve(symbolic_, &numeric, n, 1, x.col(column).data(), &common)
                 : klu_solve(symbolic_, &numeric, n, 1, x.col(column).data(), &common);
  }

 private:
  static int* starts(const SparseMatrix& matrix) { return const_cast<int*>(matrix.outerIndexPtr()); }
  static int* indices(const SparseMatrix& matrix) { return const_cast<int*>(matrix.innerIndexPtr()); }
  static double* numbers(const SparseMatrix& matrix) { return const_cast<double*>(matrix.valuePtr()); }

  // Factorizes with the order of pivots of the last factorization. False if it is not stable for these values.
  bool factorize_again(const SparseMatrix& matrix) {
    if (!klu_refactor(starts(matrix), indices(matrix), numbers(matrix), symbolic_, numeric_, &common_)) return false;
    if (common_.status != KLU_OK) return false;
    klu_rgrowth(starts(matrix), indices(matrix), numbers(matrix), symbolic_, numeric_, &common_);
    return common_.rgrowth > smallest_growth_of_kept_pivots && is_regular();
  }

  bool is_regular() { return klu_rcond(symbolic_, numeric_, &common_) && common_.rcond > smallest_pivot_ratio; }

  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  mutable WorkspacePool<std::vector<double>> workspaces_;
};

}  // namespace

std::unique_ptr<SparseSolver> make_klu_solver(const SparseSolverOptions& options) {
  return std::make_unique<KluSolver>(options);
}

}  // namespace holo
