#include "trajectory/normal_step.h"

#include <cmath>

namespace holo {

NormalStep::NormalStep(const SaddlePointSystem& system) {
  cauchy_.setZero(system.unknown_count());
  newton_.setZero(system.unknown_count());
  product_.setZero(system.constraint_count());
}

bool NormalStep::find_path(ScaledLinearization& linearization, const Eigen::VectorXd& C) {
  linearization_ = &linearization;
  const Eigen::VectorXd& W = linearization.scales().metric;
  linearization.multiply_jacobian_transposed(C, cauchy_);
  cauchy_.array() /= W.array();
  slope_ = linearization.norm(cauchy_);
  linearization.multiply_jacobian(cauchy_, product_);
  const double curvature = product_.squaredNorm();
  cauchy_ *= curvature > 0 ? -slope_ * slope_ / curvature : 0;
  if (!linearization.least_norm_step(C, newton_)) return false;
  cauchy_norm_ = linearization.norm(cauchy_);
  newton_norm_ = linearization.norm(newton_);
  return true;
}

void NormalStep::minimize(double radius, Eigen::VectorXd& v) const {
  if (newton_norm_ <= radius) {
    v = newton_;
    return;
  }
  if (cauchy_norm_ >= radius) {
    v = (radius / cauchy_norm_) * cauchy_;
    return;
  }
  // |vC + fraction (vN - vC)|_W = radius, the larger root of a quadratic equation without cancellation.
  v = newton_ - cauchy_;
  const Eigen::VectorXd& W = linearization_->scales().metric;
  const double squared = (v.array().square() * W.array()).sum();
  const double mixed = (v.array() * W.array() * cauchy_.array()).sum();
  const double room = (radius - cauchy_norm_) * (radius + cauchy_norm_);
  const double root = std::sqrt(mixed * mixed + squared * room);
  const double fraction = mixed > 0 ? room / (root + mixed) : (root - mixed) / squared;
  v = cauchy_ + fraction * v;
}

}  // namespace holo
