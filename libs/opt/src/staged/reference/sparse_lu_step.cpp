#include <new>
#include <string>

#include "staged/reference/kkt_steps.h"
#include "staged/sqp/stopwatch.h"

namespace holo {

StagedStepOutcome SparseLuStep::find(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                     StagedDirection& direction) {
  const Eigen::SparseMatrix<double>& matrix = system_.assemble(quadratic);
  if (!analyzed_) lu_.analyzePattern(matrix);
  analyzed_ = true;
  ProcessorStopwatch watch;
  lu_.factorize(matrix);
  times_.factor = watch.lap();
  if (lu_.info() != Eigen::Success && lu_.lastErrorMessage().find("MEMORY") != std::string::npos) throw std::bad_alloc();
  if (lu_.info() != Eigen::Success) return {StagedStepOutcome::Status::singular, -1};
  const Eigen::VectorXd right = system_.right_side(quadratic, constraints);
  Eigen::VectorXd solution = lu_.solve(right);
  solution += lu_.solve(Eigen::VectorXd(right - matrix * solution));  // one step of refinement
  if (!solution.allFinite()) return {StagedStepOutcome::Status::singular, -1};
  system_.read(solution, direction);
  times_.recovery = watch.lap();
  return {};
}

}  // namespace holo
