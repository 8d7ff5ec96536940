#ifdef HOLO_ENABLE_GPL

#include <cholmod.h>
#include <dlfcn.h>

#include <cmath>
#include <mutex>

#include "numerics/blas.h"
#include "holo/core/error.h"
#include "numerics/sparse_factorizations.h"

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

class CholmodFactorization : public SparseFactorization {
 public:
  CholmodFactorization() {
    prepare_blas();
    cholmod_start(&common_);
    common_.print = 0;
    common_.error_handler = nullptr;
    common_.try_catch = 1;
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.final_ll = 1;
    common_.quick_return_if_not_posdef = 1;
    common_.useGPU = 0;
    choose_ordering(common_);
  }

  ~CholmodFactorization() override {
    cholmod_free_dense(&solution_, &common_);
    cholmod_free_dense(&work_y_, &common_);
    cholmod_free_dense(&work_e_, &common_);
    cholmod_free_factor(&factor_, &common_);
    cholmod_finish(&common_);
  }

  CholmodFactorization(const CholmodFactorization&) = delete;
  CholmodFactorization& operator=(const CholmodFactorization&) = delete;

  std::string name() const override { return "CHOLMOD supernodal LL^T (AMD or METIS ordering, OpenBLAS, 1 thread)"; }

  void analyze(const SparseMatrix& lower) override {
    // METIS draws from the C library's random numbers, which it seeds at each call: two at a time would disturb each other.
    static std::mutex ordering;
    factorized_ = false;
    cholmod_free_factor(&factor_, &common_);
    pattern_.set(lower);
    size_ = lower.rows();
    if (size_ == 0) return;
    const std::lock_guard<std::mutex> lock(ordering);
    cholmod_sparse a = view(lower);
    factor_ = cholmod_analyze(&a, &common_);
    check("analysed");
    factor_nonzeros_ = static_cast<std::size_t>(common_.lnz);
  }

  bool factorize(const SparseMatrix& lower) override {
    factorized_ = false;
    pattern_.require(lower);
    ++factorizations_;
    if (!all_finite(lower)) return false;
    if (size_ > 0) {
      const WithoutOpenmpThreads one_thread;
      cholmod_sparse a = view(lower);
      cholmod_factorize(&a, factor_, &common_);
      if (common_.status == CHOLMOD_NOT_POSDEF) return false;
      check("factorized");
      if (!diagonal_is_positive()) return false;
    }
    return factorized_ = true;
  }

  void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) override {
    require_solvable(factorized_, size_, b, x);
    if (b.size() == 0) return;
    cholmod_dense right{};
    right.nrow = static_cast<std::size_t>(b.rows());
    right.ncol = static_cast<std::size_t>(b.cols());
    right.d = static_cast<std::size_t>(b.cols() > 1 ? b.outerStride() : b.rows());
    right.nzmax = right.d * (right.ncol - 1) + right.nrow;
    right.x = const_cast<double*>(b.data());  // only read
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    cholmod_solve2(CHOLMOD_A, factor_, &right, nullptr, &solution_, nullptr, &work_y_, &work_e_, &common_);
    check("solved");
    x = Eigen::Map<const Eigen::MatrixXd>(static_cast<const double*>(solution_->x), b.rows(), b.cols());
  }

  std::size_t factor_nonzeros() const override { return size_ > 0 ? factor_nonzeros_ : 0; }

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

  // BLAS lets NaN through as a pivot, and finite entries may overflow on the way: L's diagonal tells, since whatever is not
  // finite in a row of L ends in that row's pivot.
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

  void check(const std::string& what) const {
    if (common_.status >= CHOLMOD_OK) return;
    const std::string matrix = "a sparse matrix of " + std::to_string(size_) + " rows could not be " + what + ": ";
    if (common_.status == CHOLMOD_OUT_OF_MEMORY) throw Error(Failure::environment, matrix + "out of memory");
    if (common_.status == CHOLMOD_TOO_LARGE)
      throw Error(Failure::environment, matrix + "its factor is too large for 32-bit indices");
    throw Error(Failure::internal, matrix + "CHOLMOD ended with status " + std::to_string(common_.status));
  }

  cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  cholmod_dense* solution_ = nullptr;  // kept from solve to solve, like the two below
  cholmod_dense* work_y_ = nullptr;
  cholmod_dense* work_e_ = nullptr;
  AnalysedPattern pattern_;
  Eigen::Index size_ = 0;
  std::size_t factor_nonzeros_ = 0;
  bool factorized_ = false;
};

}  // namespace

std::unique_ptr<SparseFactorization> make_cholmod_factorization() { return std::make_unique<CholmodFactorization>(); }

}  // namespace holo

#endif
