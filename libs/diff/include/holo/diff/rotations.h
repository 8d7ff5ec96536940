#pragma once
// Rotations by quaternions, and rigid motions, over any scalar. Quaternions are (w, x, y, z), multiplied after Hamilton.
// Nothing is normalized on the way: rotate() scales by the squared length, so that it is a quadratic form in the quaternion and
// its second derivatives are constants.

#include "holo/diff/matrix.h"
#include "holo/diff/scalars/elementary.h"

namespace holo {

template <class S>
struct Quaternion {
  S w, x, y, z;
};

template <class S>
HOLO_FN constexpr Quaternion<S> identity_quaternion() {
  return {S(1.0), S(0.0), S(0.0), S(0.0)};
}

template <class S>
HOLO_FN constexpr Quaternion<S> operator*(const Quaternion<S>& a, const Quaternion<S>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// The inverse rotation of a quaternion of length 1.
template <class S>
HOLO_FN constexpr Quaternion<S> conjugate(const Quaternion<S>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

template <class S>
HOLO_FN constexpr S squared_norm(const Quaternion<S>& q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

template <class S>
HOLO_FN constexpr Quaternion<S> normalized(const Quaternion<S>& q) {
  const S factor = S(1.0) / sqrt(squared_norm(q));
  return {q.w * factor, q.x * factor, q.y * factor, q.z * factor};
}

// The matrix of rotate(): |q|^2 times a rotation, (w^2 - v.v) I + 2 v v^T + 2 w [v]x with v = (x, y, z).
template <class S>
HOLO_FN constexpr Matrix3<S> rotation_matrix(const Quaternion<S>& q) {
  const S ww = q.w * q.w, xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const S xy = S(2.0) * (q.x * q.y), xz = S(2.0) * (q.x * q.z), yz = S(2.0) * (q.y * q.z);
  const S wx = S(2.0) * (q.w * q.x), wy = S(2.0) * (q.w * q.y), wz = S(2.0) * (q.w * q.z);
  return {ww + xx - yy - zz, xy - wz, xz + wy, xy + wz, ww - xx + yy - zz, yz - wx, xz - wy, yz + wx, ww - xx - yy + zz};
}

// |q|^2 times a, rotated.
template <class S>
HOLO_FN constexpr Vector3<S> rotate(const Quaternion<S>& q, const Vector3<S>& a) {
  return rotation_matrix(q) * a;
}

// The quaternion of length 1 of a rotation by the angle [rad] about an axis of length 1.
template <class S>
HOLO_FN constexpr Quaternion<S> rotation_about(const Vector3<S>& axis, const S& angle) {
  const S half = S(0.5) * angle, sine = sin(half);
  return {cos(half), sine * axis[0], sine * axis[1], sine * axis[2]};
}

// A rigid motion: turns, then moves. Of a body: its orientation, and where its origin is.
template <class S>
struct Transform {
  Vector3<S> translation;  // [m]
  Quaternion<S> rotation;  // of length 1 where it is to be rigid
};

template <class S>
HOLO_FN constexpr Transform<S> identity_transform() {
  return {Vector3<S>{S(0.0), S(0.0), S(0.0)}, identity_quaternion<S>()};
}

// First b, then a.
template <class S>
HOLO_FN constexpr Transform<S> operator*(const Transform<S>& a, const Transform<S>& b) {
  return {a.translation + rotate(a.rotation, b.translation), a.rotation * b.rotation};
}

template <class S>
HOLO_FN constexpr Vector3<S> operator*(const Transform<S>& a, const Vector3<S>& point) {
  return a.translation + rotate(a.rotation, point);
}

// The inverse of a transform whose quaternion has length 1.
template <class S>
HOLO_FN constexpr Transform<S> inverse(const Transform<S>& a) {
  const Quaternion<S> back = conjugate(a.rotation);
  return {-rotate(back, a.translation), back};
}

template <class S>
HOLO_FN constexpr Transform<S> translation(const S& x, const S& y, const S& z) {
  return {Vector3<S>{x, y, z}, identity_quaternion<S>()};
}
// Along or about one of the axes of the frame, by a length [m] or an angle [rad].
template <class S>
HOLO_FN constexpr Transform<S> translation_along_x(const S& length) {
  return translation(length, S(0.0), S(0.0));
}
template <class S>
HOLO_FN constexpr Transform<S> translation_along_y(const S& length) {
  return translation(S(0.0), length, S(0.0));
}
template <class S>
HOLO_FN constexpr Transform<S> translation_along_z(const S& length) {
  return translation(S(0.0), S(0.0), length);
}
template <class S>
HOLO_FN constexpr Transform<S> rotation(const Quaternion<S>& q) {
  return {Vector3<S>{S(0.0), S(0.0), S(0.0)}, q};
}
template <class S>
HOLO_FN constexpr Transform<S> rotation_about_x(const S& angle) {
  return rotation(rotation_about(Vector3<S>{S(1.0), S(0.0), S(0.0)}, angle));
}
template <class S>
HOLO_FN constexpr Transform<S> rotation_about_y(const S& angle) {
  return rotation(rotation_about(Vector3<S>{S(0.0), S(1.0), S(0.0)}, angle));
}
template <class S>
HOLO_FN constexpr Transform<S> rotation_about_z(const S& angle) {
  return rotation(rotation_about(Vector3<S>{S(0.0), S(0.0), S(1.0)}, angle));
}

}  // namespace holo
