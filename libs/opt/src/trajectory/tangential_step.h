#pragma once
// Tangential step of a trust-region method: the minimum of a quadratic model in two directions of the null space of A.

#include <Eigen/Core>

#include "trajectory/scaled_linearization.h"

namespace holo {

// The minimizer t of g . t + t . H t / 2 over |t|_W <= radius in the span of tS, the steepest descent in null(A), and tN, the
// minimizer in null(A) with the shift dw. The model has the true H: the shift chooses a direction and biases no solution.
class TangentialStep {
 public:
  explicit TangentialStep(const SaddlePointSystem& system);

  // The span for the gradient g [unknown], raising dw where tN cannot be computed; without any dw that helps it is that of tS.
  // False where the solutions with K2 are inaccurate.
  bool find_span(ScaledLinearization& linearization, const Eigen::VectorXd& g);
  // The step in the span. With an infinite radius it is tN, or without it the minimizer along tS.
  void minimize(double radius, Eigen::VectorXd& t) const;

 private:
  bool find_newton(ScaledLinearization& linearization);
  bool is_tangential(const ScaledLinearization& linearization, const Eigen::VectorXd& t);
  void orthonormalize(const ScaledLinearization& linearization);

  Eigen::VectorXd steepest_, newton_, negative_gradient_, multipliers_;
  Eigen::VectorXd first_, second_, first_product_, second_product_;  // W-orthonormal, and H times them
  Eigen::Matrix2d model_;
  Eigen::Vector2d slope_;
  bool has_newton_ = false;
  int dimension_ = 0;  // of the span
};

}  // namespace holo
