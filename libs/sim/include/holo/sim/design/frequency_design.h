#pragma once
// The design of a body whose frequency is that of a target, as a problem of the minimizers of opt/dense:
//
//   f = (omega^2(p) / target - 1)^2
//
// in unknowns p_k / unit_k. One target leaves a surface of solutions for several parameters, where the Hessian has rank one.

#include "holo/opt/dense/dense_minimizer.h"
#include "holo/sim/design/linear_vibration.h"

namespace holo {

class FrequencyDesign final : public DenseProblem {
 public:
  // `target` is omega^2 [1/s^2], > 0; `units` [free parameter] are those of the unknowns. The body must outlive this.
  FrequencyDesign(LinearVibration& body, double target, Eigen::VectorXd units)
      : body_(body), target_(target), units_(std::move(units)) {}

  int dimension() const override { return static_cast<int>(units_.size()); }
  // +infinity where the parameters give no body; `LinearVibration::problem` tells why.
  double value(const Eigen::VectorXd& x) override;
  void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  bool hessian(const Eigen::VectorXd& x, Eigen::MatrixXd& hessian) override;
  // Why the last point without a body has none; "": all had one.
  const std::string& refused() const { return refused_; }

 private:
  bool differentiate(const Eigen::VectorXd& x);

  LinearVibration& body_;
  double target_;
  Eigen::VectorXd units_;
  Eigen::VectorXd point_;  // of the derivatives; empty: none
  DesignDerivatives derivatives_;
  std::string refused_;
};

}  // namespace holo
