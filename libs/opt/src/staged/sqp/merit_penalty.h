#pragma once
// The weight of constraints in the merit function, from the multipliers: far too large a weight makes steps tiny, too small a
// one takes the wrong ones.

#include "holo/opt/staged/staged_quadratic.h"

namespace holo {

class MeritPenalty {
 public:
  MeritPenalty() = default;
  // As it was left.
  MeritPenalty(double value, int iterations_since_fall) : value_(value), iterations_since_fall_(iterations_since_fall) {}
  int iterations_since_fall() const { return iterations_since_fall_; }
  double value() const { return value_; }
  // At each iteration: of the multipliers after the step; of objective and constraints along it.
  void update(const StagedMultipliers& multipliers, double slope, double curvature, double constraint_sum);

 private:
  double value_ = 0;
  int iterations_since_fall_ = 0;
};

}  // namespace holo
