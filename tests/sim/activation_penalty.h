#pragma once
// A penalty of activations, for losses of tests that are to have one minimum.

#include "holo/sim/control/step_loss.h"

namespace holo::test {

// k/2 |a/unit|^2, which a derived loss adds to its value.
class PenalizedLoss : public StepLoss {
 public:
  PenalizedLoss(double weight, double unit) : weight_(weight), unit_(unit) {}
  void set_activations(const Eigen::VectorXd& activations) override { multiples_ = activations / unit_; }
  void add_activation_gradient(const Eigen::VectorXd&, Eigen::VectorXd& gradient) override {
    gradient += weight_ / unit_ * multiples_;
  }
  void add_joint_hessian_products(const Eigen::VectorXd& x, const StepColumns& directions, bool gauss_newton,
                                  StepColumns& result) override {
    add_hessian_products(x, directions.positions, gauss_newton, result.positions);
    result.activations += weight_ / (unit_ * unit_) * directions.activations;
  }

 protected:
  double penalty() const { return weight_ / 2 * multiples_.squaredNorm(); }

 private:
  double weight_, unit_;  // k; [Pa]
  Eigen::VectorXd multiples_;
};

}  // namespace holo::test
