#ifdef HOLO_ENABLE_GPL

#include <umfpack.h>

#include <new>

#include "holo/core/error.h"
#include "holo/core/numerics/blas.h"
#include "holo/core/numerics/workspace_pool.h"
#include "numerics/sparse_solvers.h"

namespace holo {

namespace {

// Memory of one solve, in the sizes that UMFPACK requires.
struct UmfpackWorkspace {
  std::vector<int> integers;
  std::vector<double> numbers, right;
};

// UMFPACK's multifrontal LU. It refines solutions itself, for which it reads the matrix while it solves.
class UmfpackSolver final : public SparseSolver {
 public:
  explicit UmfpackSolver(const SparseSolverOptions& options) : SparseSolver(options) {
    prepare_blas();
    umfpack_di_defaults(control_);
    control_[UMFPACK_IRSTEP] = options.refinement_steps;
    if (options.ordering != SparseOrdering::metis) return;
    control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
    control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
  }
  ~UmfpackSolver() override {
    umfpack_di_free_symbolic(&symbolic_);
    umfpack_di_free_numeric(&numeric_);
  }

  std::string name() const override {
    return options().ordering == SparseOrdering::metis ? "UMFPACK LU (unsymmetric strategy, METIS ordering, OpenBLAS, 1 thread)"
                                                       : "UMFPACK LU (its own strategy and ordering, OpenBLAS, 1 thread)";
  }
  std::size_t factor_nonzeros() const override { return numeric_ != nullptr && size() > 0 ? factor_nonzeros_ : 0; }

 protected:
  bool refines() const override { return true; }

  void analyze_pattern(const SparseMatrix& matrix) override {
    umfpack_di_free_symbolic(&symbolic_);
    umfpack_di_free_numeric(&numeric_);
    const int n = static_cast<int>(matrix.rows());
    const int status = umfpack_di_symbolic(n, n, matrix.outerIndexPtr(), matrix.innerIndexPtr(), matrix.valuePtr(), &symbolic_,
                                           control_, nullptr);
    if (status == UMFPACK_ERROR_out_of_memory) throw std::bad_alloc();
    if (status != UMFPACK_OK)
      throw Error(Failure::internal, "UMFPACK cannot analyze a sparse matrix of " + std::to_string(n) + " rows (status " +
                                         std::to_string(status) + ")");
  }

  Outcome factorize_values(const SparseMatrix& matrix) override {
    umfpack_di_free_numeric(&numeric_);
    double info[UMFPACK_INFO];
    const int status = umfpack_di_numeric(matrix.outerIndexPtr(), matrix.innerIndexPtr(), matrix.valuePtr(), symbolic_,
                                          &numeric_, control_, info);
    if (status == UMFPACK_ERROR_out_of_memory) throw std::bad_alloc();
    if (status != UMFPACK_OK) return Outcome::singular;
    factor_nonzeros_ = static_cast<std::size_t>(info[UMFPACK_LNZ] + info[UMFPACK_UNZ]);
    return Outcome::factorized;
  }

  // A solve with refinement needs the matrix and five vectors of the caller; several threads may read the factor.
  void solve_factorized(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x,
                        bool transposed) const override {
    WorkspacePool<UmfpackWorkspace>::Lease work(workspaces_);
    const auto n = static_cast<std::size_t>(size());
    work->integers.resize(n);
    work->numbers.resize(5 * n);
    work->right.resize(n);
    for (Eigen::Index column = 0; column < b.cols(); ++column) {
      Eigen::Map<Eigen::VectorXd>(work->right.data(), size()) = b.col(column);  // x may be b
      umfpack_di_wsolve(transposed ? UMFPACK_At : UMFPACK_A, column_starts().data(), rows().data(), values().data(),
                        x.col(column).data(), work->right.data(), numeric_, control_, nullptr, work->integers.data(),
                        work->numbers.data());
    }
  }

 private:
  double control_[UMFPACK_CONTROL];
  void *symbolic_ = nullptr, *numeric_ = nullptr;
  std::size_t factor_nonzeros_ = 0;
  mutable WorkspacePool<UmfpackWorkspace> workspaces_;
};

}  // namespace

std::unique_ptr<SparseSolver> make_umfpack_solver(const SparseSolverOptions& options) {
  return std::make_unique<UmfpackSolver>(options);
}

}  // namespace holo

#endif
