#include "trajectory/tangential_step.h"

#include <cmath>

#include "trajectory/disk_minimizer.h"

namespace holo {

namespace {

// Of tN orthogonal to tS, over |tN|: below it the two are parallel, and the span has one dimension.
constexpr double least_sine = 1e-6;
// |A t| over |t|, with rows of A of length 1 at the start: above it t is not in the null space, and what the projection left of
// a gradient is its rounding, such as where A determines all unknowns.
constexpr double largest_normal_part = 1e-4;

}  // namespace

TangentialStep::TangentialStep(const SaddlePointSystem& system) {
  for (Eigen::VectorXd* vector :
       {&steepest_, &newton_, &negative_gradient_, &first_, &second_, &first_product_, &second_product_})
    vector->setZero(system.unknown_count());
  multipliers_.setZero(system.constraint_count());
}

bool TangentialStep::find_span(ScaledLinearization& linearization, const Eigen::VectorXd& g) {
  negative_gradient_ = -g;
  if (!linearization.project(negative_gradient_, steepest_, multipliers_)) return false;
  if (!is_tangential(linearization, steepest_)) steepest_.setZero();
  has_newton_ = find_newton(linearization);
  orthonormalize(linearization);
  linearization.multiply_hessian(first_, first_product_);
  linearization.multiply_hessian(second_, second_product_);
  const double mixed = (first_.dot(second_product_) + second_.dot(first_product_)) / 2;
  model_ << first_.dot(first_product_), mixed, mixed, second_.dot(second_product_);
  slope_ << g.dot(first_), g.dot(second_);
  return true;
}

bool TangentialStep::find_newton(ScaledLinearization& linearization) {
  do {
    if (!linearization.solve_model(negative_gradient_, newton_) || !linearization.project_step(newton_)) continue;
    linearization.multiply_hessian(newton_, first_product_);
    if (std::isfinite(newton_.dot(first_product_))) return is_tangential(linearization, newton_);
  } while (linearization.raise_shift());
  return false;
}

bool TangentialStep::is_tangential(const ScaledLinearization& linearization, const Eigen::VectorXd& t) {
  linearization.multiply_jacobian(t, multipliers_);
  return multipliers_.norm() <= largest_normal_part * t.norm();
}

// The first direction is that of tS, so that g has no component along the second but by rounding.
void TangentialStep::orthonormalize(const ScaledLinearization& linearization) {
  const Eigen::VectorXd& W = linearization.scales().metric;
  first_.setZero();
  second_.setZero();
  const double norm = linearization.norm(steepest_);
  dimension_ = norm > 0 ? 1 : 0;
  if (dimension_ == 0) return;
  first_ = steepest_ / norm;
  if (!has_newton_) return;
  const double newton_norm = linearization.norm(newton_);
  if (!(newton_norm > 0)) return;
  second_ = newton_ / newton_norm;
  for (int pass = 0; pass < 2; ++pass) second_ -= (second_.array() * W.array() * first_.array()).sum() * first_;
  const double sine = linearization.norm(second_);
  if (sine < least_sine) {
    second_.setZero();
    return;
  }
  second_ /= sine;
  dimension_ = 2;
}

void TangentialStep::minimize(double radius, Eigen::VectorXd& t) const {
  if (dimension_ == 0) {
    t.setZero();
  } else if (std::isinf(radius) && has_newton_) {
    t = newton_;
  } else if (std::isinf(radius)) {
    t = (model_(0, 0) > 0 ? -slope_[0] / model_(0, 0) : 1.0) * first_;
  } else if (!(radius > 0)) {
    t.setZero();
  } else {
    Eigen::Matrix2d model = model_;
    if (dimension_ == 1) model(1, 1) = std::abs(model(0, 0)) + 1;  // the second unknown is zero
    const Eigen::Vector2d minimizer = minimize_in_disk(model, slope_, radius);
    t = minimizer[0] * first_ + minimizer[1] * second_;
  }
}

}  // namespace holo
