#pragma once
// Reference steps, with which the steps of the arrow form are compared.

#include "staged/arrow/stage_recovery.h"

namespace holo {

// Base of all references: factors of dC/ds for callers; the references themselves do not use them.
class ReferenceStep : public StagedStep {
 public:
  ReferenceStep(const StagedLayout& layout, StateFactorization factorization)
      : layout_(layout), factors_(layout, factorization), recovery_(layout, factors_) {}

  StateFactors& factors() override { return factors_; }
  StageRecovery& recovery() override { return recovery_; }
  StagedStepOutcome prepare(const StagedQuadratic& quadratic) override {
    const int singular = factors_.factor(quadratic.blocks);
    return singular < 0 ? StagedStepOutcome{} : StagedStepOutcome{StagedStepOutcome::Status::singular, singular};
  }
  StagedStepOutcome solve(const StagedQuadratic& quadratic, StagedDirection& direction) override;
  StagedStepOutcome correct(const StagedQuadratic& quadratic, const StagedConstraints& constraints, StagedPoint& step) override;
  void find_multipliers(const StagedQuadratic& quadratic, StagedDirection& direction) override {
    recovery_.find_multipliers(quadratic, direction);
  }
  void find_scales(StagedScales& scales) const override {
    scales.parameters.setOnes();
    scales.controls.setOnes();
    scales.rates.setOnes();
  }

 protected:
  virtual StagedStepOutcome find(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                 StagedDirection& direction) = 0;

  const StagedLayout& layout_;

 private:
  StateFactors factors_;
  StageRecovery recovery_;
};

// `kind` is not the arrow.
std::unique_ptr<StagedStep> make_reference_step(StagedStepKind kind, const StagedLayout& layout,
                                                StateFactorization factorization);

}  // namespace holo
