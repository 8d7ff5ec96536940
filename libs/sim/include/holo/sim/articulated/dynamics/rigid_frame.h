#pragma once
// Frames and twists of rigid bodies over any scalar: rotation matrices and vectors, without quaternions.
//
// Nothing allocates, throws or calls virtually: these and the other kernels of this folder compile for a device.

#include "holo/diff/matrix.h"

namespace holo::articulated {

// X_WB: the point p of the frame B stands at R p + o in W.
template <class S>
struct RigidFrame {
  Matrix3<S> rotation;  // R_WB
  Vector3<S> origin;    // p_WB [m]
};

template <class S>
HOLO_FN constexpr RigidFrame<S> identity_frame() {
  return {identity3<S>(), Vector3<S>{}};
}

template <class S>
HOLO_FN constexpr RigidFrame<S> operator*(const RigidFrame<S>& a, const RigidFrame<S>& b) {
  return {a.rotation * b.rotation, a.rotation * b.origin + a.origin};
}

template <class S>
HOLO_FN constexpr Vector3<S> operator*(const RigidFrame<S>& a, const Vector3<S>& point) {
  return a.rotation * point + a.origin;
}

// The point of the frame `a` that stands at `point` in the world.
template <class S>
HOLO_FN constexpr Vector3<S> point_in(const RigidFrame<S>& a, const Vector3<S>& point) {
  return transpose(a.rotation) * (point - a.origin);
}

template <class S>
HOLO_FN constexpr RigidFrame<S> frame_cast(const RigidFrame<double>& a) {
  return {matrix_cast<S>(a.rotation), matrix_cast<S>(a.origin)};
}

// The velocity field of a rigid motion, in world coordinates: the point P moves with angular x P + linear. As a 4 x 4 matrix
// it is [[angular], linear; 0, 0] with [a] b = a x b.
template <class S>
struct Twist {
  Vector3<S> angular;  // [rad/s per unit of the rate]
  Vector3<S> linear;   // of the point that stands in the world's origin
};

template <class S>
HOLO_FN constexpr Vector3<S> velocity_at(const Twist<S>& twist, const Vector3<S>& point) {
  return cross(twist.angular, point) + twist.linear;
}

// The rotation field about an axis through a point.
template <class S>
HOLO_FN constexpr Twist<S> rotation_about_point(const Vector3<S>& angular, const Vector3<S>& point) {
  return {angular, cross(point, angular)};
}

// A twist in the coordinates of the frame `a`, in the world.
template <class S>
HOLO_FN constexpr Twist<S> operator*(const RigidFrame<S>& a, const Twist<S>& twist) {
  const Vector3<S> angular = a.rotation * twist.angular;
  return {angular, a.rotation * twist.linear + cross(a.origin, angular)};
}

// [a] with [a] b = a x b.
template <class S>
HOLO_FN constexpr Matrix3<S> cross_matrix(const Vector3<S>& a) {
  return {S(0.0), -a[2], a[1], a[2], S(0.0), -a[0], -a[1], a[0], S(0.0)};
}

// exp([axis] angle) of an axis of length 1 [Rodrigues].
template <class S>
HOLO_FN constexpr Matrix3<S> rotation_about_axis(const Vector3<S>& axis, const S& angle) {
  const Matrix3<S> cross = cross_matrix(axis);
  return identity3<S>() + sin(angle) * cross + (S(1.0) - cos(angle)) * (cross * cross);
}

}  // namespace holo::articulated
