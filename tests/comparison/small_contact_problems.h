#pragma once
// Complementarity problems of a few contacts, for tests.

#include <cmath>
#include <cstdint>

#include "holo/comparison/contact_problem.h"

namespace holo_test {

// A point of mass m on a plane inclined by an angle, over one time step h of implicit Euler from rest. Its muscle pushes with u
// [N] up the plane, along the first tangent. The objective is (w_1 - target)^2 / h^2 + effort u^2.
struct InclinedPoint {
  double mass = 2, step = 0.01, angle = 0.3, friction = 0.5, gravity = 9.81;
  double target = 0;     // of the displacement up the plane [m]
  double effort = 1e-6;  // [1/N^2]

  double weight_along() const { return mass * gravity * std::sin(angle); }
  double normal_force() const { return mass * gravity * std::cos(angle); }
  double per_force() const { return step * step / mass; }  // displacement [m/N]

  holo::comparison::ContactProblem problem() const {
    holo::comparison::ContactProblem result;
    result.friction = Eigen::VectorXd::Constant(1, friction);
    result.free = per_force() * Eigen::Vector3d(-normal_force(), -weight_along(), 0);
    result.by_activations = per_force() * Eigen::Vector3d::UnitY();
    result.by_forces = per_force() * Eigen::Matrix3d::Identity();
    // w_1 is linear in z = (u, f).
    Eigen::Vector4d slope = Eigen::Vector4d::Zero();
    slope[0] = slope[2] = per_force();
    const double offset = result.free[1] - target, weight = 2 / (step * step);
    result.hessian = weight * slope * slope.transpose();
    result.hessian(0, 0) += 2 * effort;
    result.gradient = weight * offset * slope;
    result.constant = weight / 2 * offset * offset;
    result.bounds = {Eigen::VectorXd::Constant(1, -100), Eigen::VectorXd::Constant(1, 100)};
    return result;
  }
};

// Numbers in [-1, 1], the same on every machine.
class FixedNumbers {
 public:
  explicit FixedNumbers(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
  }
  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    Eigen::MatrixXd result(rows, columns);
    for (double& entry : result.reshaped()) entry = next();
    return result;
  }

 private:
  std::uint64_t state_;
};

// Contacts that are coupled with each other, pressed down on average, and two activations within [-1, 1].
inline holo::comparison::ContactProblem coupled_contacts(int contacts, std::uint64_t seed) {
  FixedNumbers numbers(seed);
  const Eigen::Index n = 3 * contacts, m = 2;
  holo::comparison::ContactProblem result;
  result.friction = Eigen::VectorXd::Constant(contacts, 0.5);
  result.free = numbers.matrix(n, 1);
  for (int i = 0; i < contacts; ++i) result.free[3 * i] -= 0.5;
  result.by_activations = numbers.matrix(n, m);
  const Eigen::MatrixXd root = numbers.matrix(n, n);
  result.by_forces = Eigen::MatrixXd::Identity(n, n) + 0.1 * root * root.transpose();
  const Eigen::MatrixXd residuals = numbers.matrix(3, m + n);
  const Eigen::VectorXd offset = 2 * numbers.matrix(3, 1);
  result.hessian = residuals.transpose() * residuals;
  result.hessian.topLeftCorner(m, m) += 0.05 * Eigen::MatrixXd::Identity(m, m);
  result.gradient = residuals.transpose() * offset;
  result.constant = 0.5 * offset.squaredNorm();
  result.bounds = {Eigen::VectorXd::Constant(m, -1), Eigen::VectorXd::Constant(m, 1)};
  return result;
}

}  // namespace holo_test
