#include "holo/sim/design/frequency_design.h"

#include <limits>

namespace holo {

double FrequencyDesign::value(const Eigen::VectorXd& x) {
  double omega_squared = 0;
  if (!body_.evaluate(x.cwiseProduct(units_), omega_squared)) {
    refused_ = body_.problem();
    return std::numeric_limits<double>::infinity();
  }
  const double gap = omega_squared / target_ - 1;
  return gap * gap;
}

bool FrequencyDesign::differentiate(const Eigen::VectorXd& x) {
  if (point_.size() == x.size() && point_ == x) return true;
  point_.resize(0);
  if (!body_.evaluate(x.cwiseProduct(units_), derivatives_)) return false;
  point_ = x;
  return true;
}

void FrequencyDesign::gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  if (!differentiate(x)) {
    gradient.setConstant(x.size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  gradient = 2 * (derivatives_.value / target_ - 1) / target_ * derivatives_.gradient.cwiseProduct(units_);
}

bool FrequencyDesign::hessian(const Eigen::VectorXd& x, Eigen::MatrixXd& hessian) {
  if (!differentiate(x)) return false;
  const Eigen::VectorXd slope = derivatives_.gradient.cwiseProduct(units_) / target_;
  const Eigen::MatrixXd curvature = units_.asDiagonal() * derivatives_.hessian * units_.asDiagonal() / target_;
  hessian = 2 * slope * slope.transpose() + 2 * (derivatives_.value / target_ - 1) * curvature;
  return true;
}

}  // namespace holo
