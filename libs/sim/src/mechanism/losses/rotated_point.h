#pragma once
// Points that a body's unit quaternion rotates: polynomials of degree two in q = (w, x, y, z), also where |q| differs from 1.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace holo {

// R(q) a = (w^2 - v.v) a + 2 (v.a) v + 2 w (v x a)
inline Eigen::Vector3d rotated_point(const Eigen::Vector4d& q, const Eigen::Vector3d& a) {
  const double w = q[0];
  const Eigen::Vector3d v = q.tail<3>();
  return (w * w - v.squaredNorm()) * a + 2 * v.dot(a) * v + 2 * w * v.cross(a);
}

// d(R(q) a)/dq
inline Eigen::Matrix<double, 3, 4> rotated_point_jacobian(const Eigen::Vector4d& q, const Eigen::Vector3d& a) {
  const double w = q[0];
  const Eigen::Vector3d v = q.tail<3>();
  Eigen::Matrix3d cross;
  cross << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  Eigen::Matrix<double, 3, 4> jacobian;
  jacobian.col(0) = 2 * (w * a + v.cross(a));
  jacobian.rightCols<3>() = 2 * (v * a.transpose() - a * v.transpose() + v.dot(a) * Eigen::Matrix3d::Identity() - w * cross);
  return jacobian;
}

// The Hessian of y . R(q) a in q, which does not depend on q.
inline Eigen::Matrix4d rotated_point_hessian(const Eigen::Vector3d& a, const Eigen::Vector3d& y) {
  Eigen::Matrix4d hessian;
  hessian(0, 0) = a.dot(y);
  hessian.block<1, 3>(0, 1) = a.cross(y).transpose();
  hessian.block<3, 1>(1, 0) = a.cross(y);
  hessian.block<3, 3>(1, 1) = a * y.transpose() + y * a.transpose() - a.dot(y) * Eigen::Matrix3d::Identity();
  return 2 * hessian;
}

// q r as a matrix on q; quaternions (w, x, y, z).
inline Eigen::Matrix4d quaternion_times(const Eigen::Vector4d& r) {
  Eigen::Matrix4d matrix;
  matrix << r[0], -r[1], -r[2], -r[3],  //
      r[1], r[0], r[3], -r[2],          //
      r[2], -r[3], r[0], r[1],          //
      r[3], r[2], -r[1], r[0];
  return matrix;
}

}  // namespace holo
