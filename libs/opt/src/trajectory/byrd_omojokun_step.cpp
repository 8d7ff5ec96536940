#include "trajectory/byrd_omojokun_step.h"

#include <algorithm>
#include <cmath>

namespace holo {

ByrdOmojokunStep::ByrdOmojokunStep(const SaddlePointSystem& system, double normal_fraction)
    : normal_fraction_(normal_fraction), normal_(system), tangential_(system) {
  for (Eigen::VectorXd* vector : {&normal_step_, &span_normal_step_, &step_, &model_gradient_, &hessian_product_})
    vector->setZero(system.unknown_count());
  constraints_.setZero(system.constraint_count());
  jacobian_product_.setZero(system.constraint_count());
}

bool ByrdOmojokunStep::begin(ScaledLinearization& linearization, const Eigen::VectorXd& C) {
  has_span_ = false;
  constraints_ = C;
  return normal_.find_path(linearization, C);
}

bool ByrdOmojokunStep::find(ScaledLinearization& linearization, const Eigen::VectorXd& gradient, double radius) {
  normal_.minimize(normal_fraction_ * radius, normal_step_);
  if (!has_span_ || normal_step_ != span_normal_step_) {
    linearization.multiply_hessian(normal_step_, model_gradient_);
    model_gradient_ += gradient;
    if (!tangential_.find_span(linearization, model_gradient_)) return false;
    span_normal_step_ = normal_step_;
    has_span_ = true;
  }
  const double normal_norm = linearization.norm(normal_step_);
  const double room = std::isinf(radius) ? radius : std::sqrt(std::max(0.0, (radius - normal_norm) * (radius + normal_norm)));
  tangential_.minimize(room, step_);
  step_ += normal_step_;
  norm_ = linearization.norm(step_);
  linearization.multiply_hessian(step_, hessian_product_);
  linearization.multiply_jacobian(step_, jacobian_product_);
  predicted_.objective = gradient.dot(step_) + step_.dot(hessian_product_) / 2;
  predicted_.constraints_before = constraints_.norm();
  predicted_.constraints_linearized = (constraints_ + jacobian_product_).norm();
  return true;
}

}  // namespace holo
