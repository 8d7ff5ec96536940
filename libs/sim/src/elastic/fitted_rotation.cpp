#include "holo/sim/elastic/fitted_rotation.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace holo {

Eigen::Matrix3d fitted_rotation(const ElasticModel& model, const ElasticBody& body, const Eigen::VectorXd& positions) {
  const Eigen::VectorXd& starts = model.start_positions();
  const int end = body.first_vertex + body.vertex_count;
  double mass = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero(), start_center = Eigen::Vector3d::Zero();
  for (int v = body.first_vertex; v < end; ++v) {
    const double m = model.masses()[static_cast<std::size_t>(v)];
    mass += m;
    center += m * positions.segment<3>(3 * v);
    start_center += m * starts.segment<3>(3 * v);
  }
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  for (int v = body.first_vertex; v < end; ++v)
    covariance += model.masses()[static_cast<std::size_t>(v)] * (positions.segment<3>(3 * v) - center / mass) *
                  (starts.segment<3>(3 * v) - start_center / mass).transpose();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Vector3d signs = Eigen::Vector3d::Ones();
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) signs[2] = -1;  // a rotation, no reflection
  return svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose();
}

// The yaw is twice the angle of the quaternion's part (w, z), with 4 w z = R_10 - R_01 and 2 (w^2 - z^2) = R_00 + R_11.
Attitude attitude(const Eigen::Matrix3d& R) {
  return {std::atan2(R(1, 0) - R(0, 1), R(0, 0) + R(1, 1)), std::acos(std::clamp(R(2, 2), -1.0, 1.0))};
}

}  // namespace holo
