#pragma once
// Normal step of a trust-region method: a decrease of the linearized constraints by a dogleg.

#include <Eigen/Core>

#include "trajectory/scaled_linearization.h"

namespace holo {

// Approximate minimizer v of |C + A v| over |v|_W <= radius: the point at that distance on the path from 0 to the minimizer vC
// along the steepest descent -W^-1 A^T C, and on to the step of least norm vN, or vN itself [Nocedal2006, section 18.5].
class NormalStep {
 public:
  explicit NormalStep(const SaddlePointSystem& system);

  // The path for scaled constraints C [constraint]; false where vN is inaccurate.
  bool find_path(ScaledLinearization& linearization, const Eigen::VectorXd& C);
  // The step [unknown] of the path; `radius` may be infinite.
  void minimize(double radius, Eigen::VectorXd& v) const;
  // |A^T C| in the norm of W^-1, which is the slope of |C|^2/2 along a step of length 1.
  double slope() const { return slope_; }

 private:
  const ScaledLinearization* linearization_ = nullptr;
  Eigen::VectorXd cauchy_, newton_, product_;
  double slope_ = 0, cauchy_norm_ = 0, newton_norm_ = 0;
};

}  // namespace holo
