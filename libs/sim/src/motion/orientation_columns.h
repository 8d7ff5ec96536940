#pragma once
// Columns (w, x, y, z) of signals as quaternions, and what lies between two.

#include <Eigen/Core>

#include "holo/diff/rotations.h"
#include "holo/sim/motion/orientation_signal.h"

namespace holo {

inline Quaternion<double> quaternion_at(const Eigen::MatrixXd& values, Eigen::Index k) {
  return {values(0, k), values(1, k), values(2, k), values(3, k)};
}

inline Eigen::Vector4d column_of(const Quaternion<double>& q) { return {q.w, q.x, q.y, q.z}; }

// The orientation at the fraction `s` of the shortest rotation from a to b.
inline Quaternion<double> between(const Quaternion<double>& a, const Quaternion<double>& b, double s) {
  return a * quaternion_of(s * rotation_vector(conjugate(a) * b));
}

// Changes signs so that neighbors lie on one side.
inline void align_signs(Eigen::MatrixXd& quaternions) {
  for (Eigen::Index k = 1; k < quaternions.cols(); ++k)
    if (quaternions.col(k).dot(quaternions.col(k - 1)) < 0) quaternions.col(k) *= -1;
}

}  // namespace holo
