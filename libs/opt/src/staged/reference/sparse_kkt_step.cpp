#include "staged/reference/sparse_kkt_step.h"

#include "holo/core/numerics/stopwatch.h"

namespace holo {

SparseKktStep::SparseKktStep(const StagedLayout& layout, StateFactorization factorization, SparseLibrary library,
                             SparseOrdering ordering)
    : ReferenceStep(layout, factorization),
      system_(layout),
      solver_(make_sparse_solver(
          {.matrix = MatrixKind::general, .library = library, .ordering = ordering, .refinement_steps = 1})) {}

StagedStepOutcome SparseKktStep::find(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                      StagedDirection& direction) {
  const StagedStepOutcome singular{StagedStepOutcome::Status::singular, -1};
  const Eigen::SparseMatrix<double>& matrix = system_.assemble(quadratic);
  if (!analyzed_) solver_->analyze(matrix);
  analyzed_ = true;
  Stopwatch watch(thread_seconds);
  const bool factorized = solver_->factorize(matrix);
  times_.factor = watch.lap();
  if (!factorized) return singular;
  const Eigen::VectorXd right = system_.right_side(quadratic, constraints);
  Eigen::VectorXd solution(right.size());
  solver_->solve(right, solution);
  if (!solution.allFinite()) return singular;
  system_.read(solution, direction);
  times_.recovery = watch.lap();
  return {};
}

}  // namespace holo
