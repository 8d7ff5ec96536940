#ifdef HOLO_ENABLE_GPL

#include <umfpack.h>

#include <new>

#include "staged/reference/kkt_steps.h"
#include "staged/sqp/stopwatch.h"

namespace holo {

namespace {

class UmfpackStep final : public ReferenceStep {
 public:
  UmfpackStep(const StagedLayout& layout, StateFactorization factorization, bool metis)
      : ReferenceStep(layout, factorization), system_(layout) {
    umfpack_di_defaults(control_);
    control_[UMFPACK_IRSTEP] = 1;
    if (!metis) return;
    control_[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
    control_[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
  }
  ~UmfpackStep() override { umfpack_di_free_symbolic(&symbolic_); }

 protected:
  StagedStepOutcome find(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                         StagedDirection& direction) override {
    const Eigen::SparseMatrix<double>& matrix = system_.assemble(quadratic);
    const int size = int(matrix.rows()), *columns = matrix.outerIndexPtr(), *rows = matrix.innerIndexPtr();
    const double* values = matrix.valuePtr();
    const StagedStepOutcome singular{StagedStepOutcome::Status::singular, -1};
    if (symbolic_ == nullptr) {
      const int status = umfpack_di_symbolic(size, size, columns, rows, values, &symbolic_, control_, nullptr);
      if (status == UMFPACK_ERROR_out_of_memory) throw std::bad_alloc();
      if (status != UMFPACK_OK) return singular;
    }
    ProcessorStopwatch watch;
    void* numeric = nullptr;
    const int status = umfpack_di_numeric(columns, rows, values, symbolic_, &numeric, control_, nullptr);
    times_.factor = watch.lap();
    if (status == UMFPACK_ERROR_out_of_memory) throw std::bad_alloc();
    const Eigen::VectorXd right = system_.right_side(quadratic, constraints);
    Eigen::VectorXd solution(size);
    if (status == UMFPACK_OK)
      umfpack_di_solve(UMFPACK_A, columns, rows, values, solution.data(), right.data(), numeric, control_, nullptr);
    umfpack_di_free_numeric(&numeric);
    if (status != UMFPACK_OK || !solution.allFinite()) return singular;
    system_.read(solution, direction);
    times_.recovery = watch.lap();
    return {};
  }

 private:
  KktSystem system_;
  double control_[UMFPACK_CONTROL];
  void* symbolic_ = nullptr;
};

}  // namespace

std::unique_ptr<StagedStep> make_umfpack_step(const StagedLayout& layout, StateFactorization factorization, bool metis) {
  return std::make_unique<UmfpackStep>(layout, factorization, metis);
}

}  // namespace holo

#endif
