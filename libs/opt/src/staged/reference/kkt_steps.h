#pragma once
// Steps by a general sparse factorization of all conditions at once.

#include <Eigen/SparseLU>

#include "staged/problem/kkt_system.h"
#include "staged/reference/reference_steps.h"

namespace holo {

class SparseLuStep final : public ReferenceStep {
 public:
  SparseLuStep(const StagedLayout& layout, StateFactorization factorization)
      : ReferenceStep(layout, factorization), system_(layout) {}

 protected:
  StagedStepOutcome find(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                         StagedDirection& direction) override;

 private:
  KktSystem system_;
  bool analyzed_ = false;
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> lu_;
};

// Only where HOLO_ENABLE_GPL is defined.
std::unique_ptr<StagedStep> make_umfpack_step(const StagedLayout& layout, StateFactorization factorization, bool metis);

}  // namespace holo
