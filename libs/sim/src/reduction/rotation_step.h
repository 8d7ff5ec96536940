#pragma once
// A rotation from the one at the start of a step, by Cayley's formula: rational, so that its derivatives are short.

#include <Eigen/Geometry>

namespace holo {

inline Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d result;
  result << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return result;
}

// Q = I + D, D = s N with s = 2/(1 + a.a) and N = [a] + a a^T - (a.a) I: the rotation by 2 atan |a| about a. D and its
// derivatives in a are computed without a difference of near numbers.
class RotationStep {
 public:
  explicit RotationStep(const Eigen::Vector3d& a) : a_(a), s_(2 / (1 + a.squaredNorm())) {
    N_ = cross_matrix(a) + a * a.transpose() - a.squaredNorm() * Eigen::Matrix3d::Identity();
  }

  Eigen::Matrix3d change() const { return s_ * N_; }  // D
  Eigen::Matrix3d change(int i) const { return slope(i) * N_ + s_ * N_slope(i); }
  Eigen::Matrix3d change(int i, int j) const {
    const double s_ij = 2 * s_ * s_ * s_ * a_[i] * a_[j] - (i == j ? s_ * s_ : 0);
    Eigen::Matrix3d N_ij = Eigen::Matrix3d::Zero();
    N_ij(i, j) += 1, N_ij(j, i) += 1;
    if (i == j) N_ij.diagonal().array() -= 2;
    return s_ij * N_ + slope(i) * N_slope(j) + slope(j) * N_slope(i) + s_ * N_ij;
  }

  // The a of a rotation by less than half a turn: [a] = (Q - I) (Q + I)^-1.
  static Eigen::Vector3d parameters(const Eigen::Matrix3d& Q) {
    const double scale = 1 / (1 + Q.trace());
    return scale * Eigen::Vector3d(Q(2, 1) - Q(1, 2), Q(0, 2) - Q(2, 0), Q(1, 0) - Q(0, 1));
  }

 private:
  double slope(int i) const { return -s_ * s_ * a_[i]; }
  Eigen::Matrix3d N_slope(int i) const {
    const Eigen::Vector3d e = Eigen::Vector3d::Unit(i);
    return cross_matrix(e) + e * a_.transpose() + a_ * e.transpose() - 2 * a_[i] * Eigen::Matrix3d::Identity();
  }

  Eigen::Vector3d a_;
  double s_;
  Eigen::Matrix3d N_;
};

}  // namespace holo
