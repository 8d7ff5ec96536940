#include "staged/reference/reference_steps.h"

#include "staged/reference/dense_riccati_step.h"
#include "staged/reference/sparse_kkt_step.h"

namespace holo {

StagedStepOutcome ReferenceStep::solve(const StagedQuadratic& quadratic, StagedDirection& direction) {
  const StagedStepOutcome outcome = find(quadratic, quadratic.constraints, direction);
  if (!outcome.solved()) return outcome;
  StagedDirection copy = direction;  // for the curvature; the multipliers stay the reference's own
  recovery_.find_multipliers(quadratic, copy);
  direction.curvature = copy.curvature;
  direction.largest_hessian_step = copy.largest_hessian_step;
  return outcome;
}

StagedStepOutcome ReferenceStep::correct(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                         StagedPoint& step) {
  StagedDirection direction(layout_);
  const StagedStepOutcome outcome = find(quadratic, constraints, direction);
  if (outcome.solved()) step = direction.step;
  return outcome;
}

std::unique_ptr<StagedStep> make_reference_step(StagedStepKind kind, const StagedLayout& layout,
                                                StateFactorization factorization) {
  switch (kind) {
    case StagedStepKind::dense_riccati:
      return std::make_unique<DenseRiccatiStep>(layout, factorization);
    case StagedStepKind::umfpack:
      return std::make_unique<SparseKktStep>(layout, factorization, SparseLibrary::umfpack);
    case StagedStepKind::umfpack_metis:
      return std::make_unique<SparseKktStep>(layout, factorization, SparseLibrary::umfpack, SparseOrdering::metis);
    default:
      return std::make_unique<SparseKktStep>(layout, factorization, SparseLibrary::eigen);
  }
}

}  // namespace holo
