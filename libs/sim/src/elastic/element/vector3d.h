#pragma once
// Arithmetic on std::array<double, 3>.

#include <array>
#include <cmath>

namespace holo {

using Vector3d = std::array<double, 3>;

inline Vector3d operator+(const Vector3d& a, const Vector3d& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector3d operator-(const Vector3d& a, const Vector3d& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector3d operator*(double s, const Vector3d& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vector3d& a, const Vector3d& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double squared_length(const Vector3d& a) { return dot(a, a); }
inline Vector3d cross(const Vector3d& a, const Vector3d& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Turns p about a unit axis through the origin (Rodrigues).
inline Vector3d rotate(const Vector3d& p, const Vector3d& axis, double angle) {
  if (angle == 0) return p;
  const double c = std::cos(angle), s = std::sin(angle);
  return c * p + s * cross(axis, p) + ((1 - c) * dot(axis, p)) * axis;
}

}  // namespace holo
