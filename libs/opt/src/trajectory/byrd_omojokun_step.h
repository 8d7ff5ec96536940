#pragma once
// Step of a trust-region method for constraints: a normal step toward them, and a tangential step that keeps what it reached.

#include <Eigen/Core>

#include "trajectory/constraint_merit.h"
#include "trajectory/normal_step.h"
#include "trajectory/tangential_step.h"

namespace holo {

// p = v + t with |v|_W <= zeta radius and |t|_W^2 <= radius^2 - |v|_W^2 [Omojokun1989]. Constraints that no step satisfies need
// nothing more: v decreases their norm as far as possible.
class ByrdOmojokunStep {
 public:
  // `normal_fraction`: zeta.
  ByrdOmojokunStep(const SaddlePointSystem& system, double normal_fraction);

  // Of a new linearization with scaled constraints C [constraint]; false without accurate solutions.
  bool begin(ScaledLinearization& linearization, const Eigen::VectorXd& C);
  // Within a radius, which may be infinite; `gradient` b of the linearization. A smaller radius of the same linearization costs
  // two solutions at most, and none while v stays the same. False without accurate solutions.
  bool find(ScaledLinearization& linearization, const Eigen::VectorXd& gradient, double radius);

  const Eigen::VectorXd& step() const { return step_; }  // p
  double norm() const { return norm_; }                  // |p|_W
  const PredictedStep& predicted() const { return predicted_; }
  double constraint_slope() const { return normal_.slope(); }  // |A^T C| in the norm of W^-1

 private:
  double normal_fraction_, norm_ = 0;
  NormalStep normal_;
  TangentialStep tangential_;
  PredictedStep predicted_;
  bool has_span_ = false;
  Eigen::VectorXd normal_step_, span_normal_step_, step_, model_gradient_, hessian_product_;  // [unknown]
  Eigen::VectorXd constraints_, jacobian_product_;                                            // [constraint]
};

}  // namespace holo
