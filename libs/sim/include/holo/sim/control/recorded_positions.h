#pragma once
// A loss of positions: the squared distances of all vertices from where they were recorded,
//
//   L(x) = sum over v of |x_v - r_v|^2 / (2 n l^2)     n vertices, l the scene's length

#include "holo/sim/control/step_loss.h"

namespace holo {

class RecordedPositions final : public StepLoss {
 public:
  // `recorded` [3 * vertex] [m], `length` [m] > 0.
  RecordedPositions(Eigen::VectorXd recorded, double length)
      : recorded_(std::move(recorded)), weight_(3 / (double(recorded_.size()) * length * length)) {}

  double value(const Eigen::VectorXd& x) override { return 0.5 * weight_ * (x - recorded_).squaredNorm(); }
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override { gradient += weight_ * (x - recorded_); }
  void add_hessian_products(const Eigen::VectorXd&, const Eigen::MatrixXd& directions, bool, Eigen::MatrixXd& result) override {
    result += weight_ * directions;
  }

 private:
  Eigen::VectorXd recorded_;
  double weight_;
};

}  // namespace holo
