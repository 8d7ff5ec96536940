#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "holo/sim/motion/orientation_signal.h"
#include "motion/orientation_columns.h"
#include "motion/refusal.h"
#include "motion/smoothing.h"

namespace holo {

namespace {

// The orientation of least squared distance between rotation matrices: the eigenvector of sum q q^T of the largest eigenvalue.
Quaternion<double> mean_orientation(const Eigen::MatrixXd& values) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(Eigen::Matrix4d(values * values.transpose()));
  if (solver.eigenvalues()[3] - solver.eigenvalues()[2] < 1e-6 * solver.eigenvalues()[3])
    refuse("scale_orientations_about_mean: the orientations lie all around, they have no mean");
  return quaternion_at(solver.eigenvectors(), 3);
}

// Both signals must have the same samples, since they are combined sample by sample.
void require_alike(const MotionSignal& left, const MotionSignal& right) {
  if (left.sample_count() != right.sample_count() || left.time_step != right.time_step)
    refuse(fmt::format(
        "symmetrize_orientations: the left signal has {} samples of {} s, the right one {} of {} s; they must agree",
        left.sample_count(), left.time_step, right.sample_count(), right.time_step));
}

// The mirror image half a period later.
Eigen::MatrixXd mirrored_later(const MotionSignal& signal, const Eigen::Vector3d& normal) {
  validate_orientations(signal, SignalEnds::closed, "symmetrize_orientations");
  const Eigen::Index steps = signal.values.cols() - 1, half = steps / 2;
  if (steps % 2 != 0)
    refuse(
        fmt::format("symmetrize_orientations: the period has {} steps, half of it is no sample; resample the signal to an even "
                    "number of steps",
                    steps));
  const Eigen::MatrixXd mirrored = mirror_orientations(signal, normal).values;
  Eigen::MatrixXd later(4, steps + 1);
  for (Eigen::Index k = 0; k <= steps; ++k) later.col(k) = mirrored.col((k + half) % steps);
  return later;
}

// The midpoint of the shortest rotation between two signals, sample by sample.
MotionSignal halfway(const MotionSignal& signal, const Eigen::MatrixXd& other) {
  MotionSignal result = signal;
  for (Eigen::Index k = 0; k < signal.values.cols(); ++k) {
    const Quaternion<double> a = quaternion_at(signal.values, k), b = quaternion_at(other, k);
    const double angle = norm(rotation_vector(conjugate(a) * b));
    if (angle > 3.1)  // near half a turn there are two ways from one to the other
      refuse(
          fmt::format("symmetrize_orientations: at sample {} the motion and its mirror image lie {:.3g} rad apart, there is no "
                      "orientation halfway",
                      k, angle));
    result.values.block<4, 1>(0, k) = column_of(between(a, b, 0.5));
  }
  align_signs(result.values);
  return result;
}

}  // namespace

MotionSignal rotate_orientations(const MotionSignal& signal, const Quaternion<double>& left, const Quaternion<double>& right) {
  validate_orientations(signal, SignalEnds::open, "rotate_orientations");
  for (const Quaternion<double>& q : {left, right})
    if (!(std::abs(squared_norm(q) - 1) < 1e-6))
      refuse(
          fmt::format("rotate_orientations: the rotation ({}, {}, {}, {}) is no quaternion of length 1", q.w, q.x, q.y, q.z));
  MotionSignal result = signal;
  // Multiplication from the left rotates in the world's axes, from the right in the body's.
  const Quaternion<double> a = normalized(left), b = normalized(right);
  for (Eigen::Index k = 0; k < signal.values.cols(); ++k)
    result.values.block<4, 1>(0, k) = column_of(a * quaternion_at(signal.values, k) * b);
  align_signs(result.values);
  return result;
}

MotionSignal scale_orientations_about_mean(const MotionSignal& signal, double factor, SignalEnds ends) {
  validate_orientations(signal, ends, "scale_orientations_about_mean");
  if (!std::isfinite(factor)) refuse(fmt::format("scale_orientations_about_mean: the factor is {}, it must be finite", factor));
  // A closed signal's last sample repeats the first and does not count in the mean. Each orientation then moves along the
  // shortest rotation from the mean by `factor` times the angle.
  const Eigen::Index counted = signal.values.cols() - (ends == SignalEnds::closed ? 1 : 0);
  const Quaternion<double> mean = mean_orientation(signal.values.leftCols(counted));
  MotionSignal result = signal;
  for (Eigen::Index k = 0; k < signal.values.cols(); ++k)
    result.values.block<4, 1>(0, k) = column_of(between(mean, quaternion_at(signal.values, k), factor));
  align_signs(result.values);
  return result;
}

MotionSignal mirror_orientations(const MotionSignal& signal, const Eigen::Vector3d& normal) {
  validate_orientations(signal, SignalEnds::open, "mirror_orientations");
  // M R M of the reflection M: as an axial vector the axis becomes -M axis.
  const Eigen::Matrix3d turned = -reflection(normal).matrix;
  MotionSignal result = signal;
  result.values.bottomRows<3>() = turned * signal.values.bottomRows<3>();
  align_signs(result.values);
  return result;
}

MotionSignal symmetrize_orientations(const MotionSignal& signal, const Eigen::Vector3d& normal) {
  return halfway(signal, mirrored_later(signal, normal));
}

std::pair<MotionSignal, MotionSignal> symmetrize_orientations(const MotionSignal& left, const MotionSignal& right,
                                                              const Eigen::Vector3d& normal) {
  require_alike(left, right);
  const Eigen::MatrixXd left_later = mirrored_later(left, normal), right_later = mirrored_later(right, normal);
  return {halfway(left, right_later), halfway(right, left_later)};
}

MotionSignal smooth_orientations(const MotionSignal& signal, double cutoff_frequency, SignalEnds ends) {
  validate_orientations(signal, ends, "smooth_orientations");
  // The quaternions' components are smoothed like any signal and then normalized, which is a good mean for nearby
  // orientations. The signs must be continuous before.
  const double lambda = smoothing_weight(cutoff_frequency, signal.time_step, "smooth_orientations");
  MotionSignal result = continuous_orientations(signal);
  if (ends == SignalEnds::open) {
    result.values = smoothed_open(result.values, lambda);
  } else {
    // A closed motion may return as -q, after an odd number of full rotations: then the components are antiperiodic.
    const Eigen::Index period = result.values.cols() - 1;
    const double sign = result.values.col(0).dot(result.values.col(period)) < 0 ? -1 : 1;
    result.values.leftCols(period) = smoothed_closed(result.values.leftCols(period), lambda, sign).eval();
    result.values.col(period) = sign * result.values.col(0);
  }
  for (Eigen::Index k = 0; k < result.values.cols(); ++k)
    if (const double length = result.values.col(k).norm(); length < 0.5)
      refuse(
          fmt::format("smooth_orientations: at sample {} the orientations within 1 / {} Hz turn so far that their mean has the "
                      "length {:.2g}; a higher cutoff frequency is required",
                      k, cutoff_frequency, length));
  result.values.colwise().normalize();
  align_signs(result.values);
  return result;
}

MotionSignal close_orientation_loop(const MotionSignal& signal, double window) {
  validate_orientations(signal, SignalEnds::open, "close_orientation_loop");
  if (!(window > 0) || window > signal.duration() * (1 + 1e-9))
    refuse(fmt::format(
        "close_orientation_loop: the window is {} s, allowed is what lies above 0 and up to the duration of {:.6g} s", window,
        signal.duration()));
  const Eigen::Index last = signal.values.cols() - 1;
  // The rotation that is missing at the end is distributed over the window, as a fraction that grows from 0 to 1.
  const Quaternion<double> end = quaternion_at(signal.values, last);
  const Vector3<double> gap = rotation_vector(conjugate(end) * quaternion_at(signal.values, 0));
  MotionSignal result = signal;
  for (Eigen::Index k = 0; k <= last; ++k) {
    const double part = smoother_step(1 - static_cast<double>(last - k) * signal.time_step / window);
    result.values.block<4, 1>(0, k) = column_of(quaternion_at(signal.values, k) * quaternion_of(part * gap));
  }
  align_signs(result.values);
  return result;
}

}  // namespace holo
