#pragma once
// Steps by a general sparse factorization of all conditions at once, refined once.

#include "holo/core/numerics/sparse_solver.h"
#include "staged/problem/kkt_system.h"
#include "staged/reference/reference_steps.h"

namespace holo {

class SparseKktStep final : public ReferenceStep {
 public:
  // Throws Error(input) for a library that the build lacks.
  SparseKktStep(const StagedLayout& layout, StateFactorization factorization, SparseLibrary library,
                SparseOrdering ordering = SparseOrdering::automatic);

 protected:
  StagedStepOutcome find(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                         StagedDirection& direction) override;

 private:
  KktSystem system_;
  bool analyzed_ = false;
  std::unique_ptr<SparseSolver> solver_;
};

}  // namespace holo
