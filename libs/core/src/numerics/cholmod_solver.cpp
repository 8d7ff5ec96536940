#ifdef HOLO_ENABLE_GPL

#include <cholmod.h>
#include <dlfcn.h>

#include <cmath>
#include <mutex>

#include "holo/core/error.h"
#include "holo/core/numerics/blas.h"
#include "holo/core/numerics/workspace_pool.h"
#include "numerics/sparse_solvers.h"

namespace holo {

namespace {

// Ordering: AMD and METIS's nested dissection are both tried, and the one with fewer nonzeros in the factor is taken. Measured
// on box meshes (three unknowns a node), METIS over AMD: nonzeros 0.98 at 5k tetrahedra, 0.92 at 16k, 0.73 at 57k; time to
// factor 0.95, 0.9, 0.67. CHOLMOD's own nested dissection stays within 3 % of METIS, either way. Trying both costs, at 57k
// tetrahedra, a fifth of one factorization, once for each pattern.
void choose_ordering(cholmod_common& common) {
  common.nmethods = 2;
  common.method[0].ordering = CHOLMOD_AMD;
  common.method[1].ordering = CHOLMOD_METIS;
  common.postorder = 1;
}

// CHOLMOD 3 opens OpenMP regions of a fixed four threads, whatever the run's limit is. Within the lifetime of this object,
// those of the calling thread run on that thread alone. OpenMP comes with CHOLMOD, and is not there when CHOLMOD was built
// without it.
class WithoutOpenmpThreads {
 public:
  WithoutOpenmpThreads() {
    if (available()) {
      previous_ = get_levels_();
      set_levels_(0);
    }
  }
  ~WithoutOpenmpThreads() {
    if (available()) set_levels_(previous_);
  }
  WithoutOpenmpThreads(const WithoutOpenmpThreads&) = delete;
  WithoutOpenmpThreads& operator=(const WithoutOpenmpThreads&) = delete;

 private:
  using Get = int (*)();
  using Set = void (*)(int);
  static bool available() { return get_levels_ != nullptr && set_levels_ != nullptr; }
  static inline const Get get_levels_ = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "omp_get_max_active_levels"));
  static inline const Set set_levels_ = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"));
  int previous_ = 1;
};

// The state that a solve changes: CHOLMOD writes its status and memory statistics to `common`, also when it only reads the
// factor.
struct CholmodWorkspace {
  CholmodWorkspace() { start(common); }
  ~CholmodWorkspace() {
    cholmod_free_dense(&solution, &common);
    cholmod_free_dense(&y, &common);
    cholmod_free_dense(&e, &common);
    cholmod_finish(&common);
  }
  CholmodWorkspace(const CholmodWorkspace&) = delete;
  CholmodWorkspace& operator=(const CholmodWorkspace&) = delete;

  static void start(cholmod_common& common) {
    cholmod_start(&common);
    common.print = 0;
    common.error_handler = nullptr;
    common.try_catch = 1;
    common.useGPU = 0;
  }

  cholmod_common common{};
  cholmod_dense *solution = nullptr, *y = nullptr, *e = nullptr;
};

class CholmodSolver final : public SparseSolver {
 public:
  explicit CholmodSolver(const SparseSolverOptions& options) : SparseSolver(options) {
    prepare_blas();
    CholmodWorkspace::start(common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.final_ll = 1;
    common_.quick_return_if_not_posdef = 1;
    choose_ordering(common_);
  }

  ~CholmodSolver() override {
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }

  std::string name() const override { return "CHOLMOD supernodal LL^T (AMD or METIS ordering, OpenBLAS, 1 thread)"; }
  std::size_t factor_nonzeros() const override { return size() > 0 ? factor_nonzeros_ : 0; }
  double factorization_flops() const override { return size() > 0 ? factorization_flops_ : 0; }

 protected:
  void analyze_pattern(const SparseMatrix& lower) override {
    // METIS uses the C library's random numbers, which it seeds at each call; two calls at the same time would disturb each
    // other.
    static std::mutex ordering;
    cholmod_free_factor(&factor_, &common_);
    const std::lock_guard<std::mutex> lock(ordering);
    cholmod_sparse a = view(lower);
    factor_ = cholmod_analyze(&a, &common_);
    check(common_, "analyzed");
    factor_nonzeros_ = static_cast<std::size_t>(common_.lnz);
    factorization_flops_ = common_.fl;
  }

  Outcome factorize_values(const SparseMatrix& lower) override {
    const WithoutOpenmpThreads one_thread;
    cholmod_sparse a = view(lower);
    cholmod_factorize(&a, factor_, &common_);
    if (common_.status == CHOLMOD_NOT_POSDEF) return Outcome::not_positive_definite;
    check(common_, "factorized");
    return diagonal_is_positive() ? Outcome::factorized : Outcome::not_positive_definite;
  }

  void solve_factorized(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x, bool) const override {
    WorkspacePool<CholmodWorkspace>::Lease work(workspaces_);
    cholmod_dense right{};
    right.nrow = static_cast<std::size_t>(b.rows());
    right.ncol = static_cast<std::size_t>(b.cols());
    right.d = static_cast<std::size_t>(b.cols() > 1 ? b.outerStride() : b.rows());
    right.nzmax = right.d * (right.ncol - 1) + right.nrow;
    right.x = const_cast<double*>(b.data());  // only read
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    cholmod_solve2(CHOLMOD_A, factor_, &right, nullptr, &work->solution, nullptr, &work->y, &work->e, &work->common);
    check(work->common, "solved");
    x = Eigen::Map<const Eigen::MatrixXd>(static_cast<const double*>(work->solution->x), b.rows(), b.cols());
  }

 private:
  // The matrix's own arrays as CHOLMOD sees them; nothing is copied.
  static cholmod_sparse view(const SparseMatrix& lower) {
    cholmod_sparse a{};
    a.nrow = a.ncol = static_cast<std::size_t>(lower.rows());
    a.nzmax = static_cast<std::size_t>(lower.nonZeros());
    a.p = const_cast<int*>(lower.outerIndexPtr());
    a.i = const_cast<int*>(lower.innerIndexPtr());
    a.x = const_cast<double*>(lower.valuePtr());
    a.stype = -1;
    a.itype = CHOLMOD_INT;
    a.xtype = CHOLMOD_REAL;
    a.dtype = CHOLMOD_DOUBLE;
    a.sorted = a.packed = 1;
    return a;
  }

  // BLAS accepts NaN as a pivot, and finite entries may overflow during the factorization. L's diagonal shows both, since a
  // number in a row of L that is not finite makes that row's pivot not finite.
  bool diagonal_is_positive() const {
    const int* first_column = static_cast<const int*>(factor_->super);
    const int* row_start = static_cast<const int*>(factor_->pi);
    const int* value_start = static_cast<const int*>(factor_->px);
    const double* values = static_cast<const double*>(factor_->x);
    for (std::size_t s = 0; s < factor_->nsuper; ++s) {
      const std::size_t columns = static_cast<std::size_t>(first_column[s + 1] - first_column[s]);
      const std::size_t rows = static_cast<std::size_t>(row_start[s + 1] - row_start[s]);
      for (std::size_t j = 0; j < columns; ++j) {
        const double pivot = values[static_cast<std::size_t>(value_start[s]) + j * rows + j];
        if (!(pivot > 0) || !std::isfinite(pivot)) return false;
      }
    }
    return true;
  }

  void check(const cholmod_common& common, const std::string& what) const {
    if (common.status >= CHOLMOD_OK) return;
    const std::string matrix = "a sparse matrix of " + std::to_string(size()) + " rows could not be " + what + ": ";
    if (common.status == CHOLMOD_OUT_OF_MEMORY) throw Error(Failure::environment, matrix + "out of memory");
    if (common.status == CHOLMOD_TOO_LARGE)
      throw Error(Failure::environment, matrix + "its factor is too large for 32-bit indices");
    throw Error(Failure::internal, matrix + "CHOLMOD ended with status " + std::to_string(common.status));
  }

  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  mutable WorkspacePool<CholmodWorkspace> workspaces_;
  std::size_t factor_nonzeros_ = 0;
  double factorization_flops_ = 0;
};

}  // namespace

std::unique_ptr<SparseSolver> make_cholmod_solver(const SparseSolverOptions& options) {
  return std::make_unique<CholmodSolver>(options);
}

}  // namespace holo

#endif
