#include "trajectory/constraint_merit.h"

#include <algorithm>

#include "holo/opt/trajectory/trust_region_sqp.h"

namespace holo {

double ConstraintMerit::violation(double constraints) const {
  return kind_ == TrajectoryMerit::l2 ? constraints : constraints * constraints / 2;
}

void ConstraintMerit::update(const PredictedStep& step) {
  constexpr double least_decrease = 1e-14;  // of |C|, below it is rounding
  if (!(step.objective > 0)) return;
  if (kind_ == TrajectoryMerit::l2) {
    const double decrease = step.constraints_before - step.constraints_linearized;
    if (decrease > least_decrease * step.constraints_before)
      penalty_ = std::max(penalty_, step.objective / ((1 - margin_) * decrease));
  } else if (step.constraints_before > 0) {
    penalty_ = std::max(penalty_, step.objective / violation(step.constraints_before));
  }
}

}  // namespace holo
