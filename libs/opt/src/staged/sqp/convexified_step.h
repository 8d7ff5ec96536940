#pragma once
// The step of a model that may not be convex. Where the exact one is not, a problem with parameters takes the Gauss-Newton
// model at once; one without first shifts the diagonal, and takes the Gauss-Newton model where no shift is enough. Where that
// is not convex either, its diagonal is shifted. A shift is in p, u and v; it repeats the recursion alone.

#include "holo/opt/staged/staged_sqp.h"

namespace holo {

class ConvexifiedStep {
 public:
  ConvexifiedStep(const OptimalControlProblem& problem, const StagedSqpOptions& options);

  StagedStep& solver() { return *solver_; }
  StagedQuadratic& quadratic() { return quadratic_; }
  StagedDirection& direction() { return direction_; }
  const StagedDirection& direction() const { return direction_; }

  struct Outcome {
    StagedSqpStatus failure = StagedSqpStatus::converged;  // converged: none
    int stage = -1;
  };
  // The model at a point and its step.
  Outcome find(const StagedPoint& point, const StagedMultipliers& multipliers, StagedSqpIteration& log);
  // The shift of the last step; the next step tries first a shift that follows from it.
  double shift() const { return last_shift_; }
  void begin(double last_shift) { last_shift_ = last_shift; }

 private:
  Outcome find(const StagedPoint& point, const StagedMultipliers& multipliers, bool gauss_newton, StagedSqpIteration& log);
  void set_shift(double shift);

  const OptimalControlProblem& problem_;
  const StagedSqpOptions& options_;
  std::unique_ptr<StagedStep> solver_;
  StagedQuadratic quadratic_;
  StagedDirection direction_;
  StagedScales scales_;
  double last_shift_ = 0;
};

}  // namespace holo
