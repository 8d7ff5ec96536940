#include "holo/sim/motion/orientation_signal.h"

#include <fmt/format.h>

#include <cmath>

#include "motion/orientation_columns.h"
#include "motion/refusal.h"

namespace holo {

namespace {

void require_closed(const MotionSignal& signal, const std::string& what) {
  // q and -q are one orientation, so that a closed signal may end with the other sign.
  const double agreement = std::abs(signal.values.leftCols<1>().col(0).dot(signal.values.rightCols<1>().col(0)));
  const Quaternion<double> turn =
      conjugate(quaternion_at(signal.values, 0)) * quaternion_at(signal.values, signal.values.cols() - 1);
  const double angle = norm(rotation_vector(turn));
  if (!(agreement > 0) || angle > 1e-6)
    refuse(fmt::format(
        "{}: the signal is not closed, it ends {:.6g} rad from where it began; close it with close_orientation_loop or "
        "cut a cycle",
        what, angle));
}

}  // namespace

Vector3<double> rotation_vector(const Quaternion<double>& q) {
  const Vector3<double> v{q.x, q.y, q.z};
  // The shorter of both rotations that q stands for: the angle is 2 atan2(|v|, |w|), accurate also near 0 and near half a
  // turn.
  const double sine = norm(v), sign = q.w < 0 ? -1 : 1;
  if (sine < 1e-8) return (2 * sign / std::abs(q.w)) * v;
  return (2 * sign * std::atan2(sine, std::abs(q.w)) / sine) * v;
}

Quaternion<double> quaternion_of(const Vector3<double>& rotation_vector) {
  // sin(angle / 2) / angle has the limit 1/2 at 0.
  const double angle = norm(rotation_vector), factor = angle < 1e-8 ? 0.5 : std::sin(angle / 2) / angle;
  return {std::cos(angle / 2), factor * rotation_vector[0], factor * rotation_vector[1], factor * rotation_vector[2]};
}

void validate_orientations(const MotionSignal& signal, SignalEnds ends, const std::string& what, double tolerance) {
  validate(signal, SignalEnds::open, what);
  if (signal.component_count() != 4)
    refuse(
        fmt::format("{}: the signal has {} components, an orientation has four (w, x, y, z)", what, signal.component_count()));
  for (Eigen::Index k = 0; k < signal.values.cols(); ++k)
    if (const double length = signal.values.col(k).norm(); !(std::abs(length - 1) <= tolerance))
      refuse(fmt::format("{}: the quaternion at sample {} has the length {:.9g}, it must be 1 to {:.0e}", what, k, length,
                         tolerance));
  if (ends == SignalEnds::closed) require_closed(signal, what);
}

MotionSignal continuous_orientations(const MotionSignal& signal) {
  validate_orientations(signal, SignalEnds::open, "continuous_orientations", 1e-2);
  MotionSignal result = signal;
  result.values.colwise().normalize();
  align_signs(result.values);
  return result;
}

MotionSignal orientations_from_rotation_vectors(const MotionSignal& vectors) {
  validate(vectors, SignalEnds::open, "orientations_from_rotation_vectors");
  if (vectors.component_count() != 3)
    refuse(fmt::format("orientations_from_rotation_vectors: the signal has {} components, a rotation vector has three",
                       vectors.component_count()));
  MotionSignal result{Eigen::MatrixXd(4, vectors.values.cols()), vectors.time_step, "1"};
  for (Eigen::Index k = 0; k < vectors.values.cols(); ++k)
    result.values.block<4, 1>(0, k) =
        column_of(quaternion_of({vectors.values(0, k), vectors.values(1, k), vectors.values(2, k)}));
  align_signs(result.values);
  return result;
}

MotionSignal orientations_from_angles(const MotionSignal& angles, const std::string& axes) {
  validate(angles, SignalEnds::open, "orientations_from_angles");
  if (axes.find_first_not_of("XYZ") != std::string::npos || axes.size() != static_cast<std::size_t>(angles.component_count()))
    refuse(fmt::format("orientations_from_angles: the axes are '{}', {} letters X, Y or Z are required, one for each component",
                       axes, angles.component_count()));
  MotionSignal result{Eigen::MatrixXd(4, angles.values.cols()), angles.time_step, "1"};
  for (Eigen::Index k = 0; k < angles.values.cols(); ++k) {
    // Multiplication from the right rotates about the axes of the body as rotated so far.
    Quaternion<double> q = identity_quaternion<double>();
    for (std::size_t i = 0; i < axes.size(); ++i) {
      Vector3<double> axis{};
      axis[axes[i] - 'X'] = 1;
      q = q * rotation_about(axis, angles.values(static_cast<Eigen::Index>(i), k));
    }
    result.values.block<4, 1>(0, k) = column_of(q);
  }
  align_signs(result.values);
  return result;
}

MotionSignal angular_velocity(const MotionSignal& signal, SignalEnds ends) {
  validate_orientations(signal, ends, "angular_velocity");
  const Eigen::Index last = signal.values.cols() - 1;
  // The rotation between two samples over the time step is the velocity halfway between them. The mean of both neighbors is
  // that at a sample; open ends are extrapolated linearly.
  Eigen::Matrix3Xd between_knots(3, last);  // in the world's axes
  for (Eigen::Index k = 0; k < last; ++k) {
    const Vector3<double> turn =
        rotation_vector(quaternion_at(signal.values, k + 1) * conjugate(quaternion_at(signal.values, k)));
    between_knots.col(k) = Eigen::Vector3d(turn[0], turn[1], turn[2]) / signal.time_step;
  }
  Eigen::Matrix3Xd velocities(3, last + 1);
  for (Eigen::Index k = 1; k < last; ++k) velocities.col(k) = 0.5 * (between_knots.col(k - 1) + between_knots.col(k));
  if (ends == SignalEnds::closed) {
    velocities.col(0) = 0.5 * (between_knots.col(last - 1) + between_knots.col(0));
    velocities.col(last) = velocities.col(0);
  } else {
    const Eigen::Index second = std::min<Eigen::Index>(1, last - 1), before = std::max<Eigen::Index>(last - 2, 0);
    velocities.col(0) = 1.5 * between_knots.col(0) - 0.5 * between_knots.col(second);
    velocities.col(last) = 1.5 * between_knots.col(last - 1) - 0.5 * between_knots.col(before);
  }
  return {velocities, signal.time_step, "rad/s"};
}

}  // namespace holo
