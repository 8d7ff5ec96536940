#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "holo/sim/motion/orientation_signal.h"
#include "motion/orientation_columns.h"
#include "motion/refusal.h"

namespace holo {

namespace {

void validate_knots(const Eigen::VectorXd& times, const Eigen::MatrixXd& orientations, SignalEnds ends) {
  const Eigen::Index least = ends == SignalEnds::closed ? 3 : 2;
  if (times.size() < least || orientations.cols() != times.size())
    refuse(
        fmt::format("orientation spline: there are {} times and {} orientations, one for each of at least {} knots is required",
                    times.size(), orientations.cols(), least));
  if (!times.allFinite()) refuse("orientation spline: the knots' times must be finite");
  for (Eigen::Index i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]))
      refuse(fmt::format("orientation spline: knot {} is at {} s, after knot {} at {} s; the times must ascend", i, times[i],
                         i - 1, times[i - 1]));
  validate_orientations({orientations, 1, "1"}, ends, "orientation spline");
}

// The rotation from knot i to the next, which both see alike in their own axes.
Vector3<double> turn_from(const Eigen::MatrixXd& orientations, Eigen::Index i) {
  return rotation_vector(conjugate(quaternion_at(orientations, i)) * quaternion_at(orientations, i + 1));
}

// The velocity of a rotation vector r whose rotation turns at w in its own axes: w + r x w / 2 + c r x (r x w), with
// c = (1 - (t / 2) cot(t / 2)) / t^2 for t = |r|, the inverse of the right Jacobian.
Vector3<double> vector_velocity(const Vector3<double>& r, const Vector3<double>& w) {
  const double square = dot(r, r), angle = std::sqrt(square);
  // The series' next term, angle^6 / 1209600, lies below the rounding there.
  const double c =
      angle < 0.02 ? 1.0 / 12 + square / 720 + square * square / 30240 : (1 - 0.5 * angle / std::tan(0.5 * angle)) / square;
  const Vector3<double> once = cross(r, w);
  return w + 0.5 * once + c * cross(r, once);
}

Eigen::MatrixXd catmull_rom_velocities(const Eigen::VectorXd& times, const Eigen::MatrixXd& orientations, SignalEnds ends) {
  const Eigen::Index last = times.size() - 1;
  Eigen::VectorXd widths = times.tail(last) - times.head(last);
  Eigen::Matrix3Xd chords(3, last), velocities(3, last + 1);
  for (Eigen::Index i = 0; i < last; ++i) {
    const Vector3<double> turn = turn_from(orientations, i);
    chords.col(i) = Eigen::Vector3d(turn[0], turn[1], turn[2]) / widths[i];
  }
  const auto inner = [&](Eigen::Index left, Eigen::Index right) -> Eigen::Vector3d {
    return (widths[right] * chords.col(left) + widths[left] * chords.col(right)) / (widths[left] + widths[right]);
  };
  const auto end = [&](Eigen::Index piece, Eigen::Index beside) -> Eigen::Vector3d {
    return chords.col(piece) + widths[piece] / (widths[piece] + widths[beside]) * (chords.col(piece) - chords.col(beside));
  };
  for (Eigen::Index i = 1; i < last; ++i) velocities.col(i) = inner(i - 1, i);
  if (ends == SignalEnds::closed) {
    velocities.col(0) = inner(last - 1, 0);
    velocities.col(last) = velocities.col(0);
  } else {
    velocities.col(0) = end(0, std::min<Eigen::Index>(1, last - 1));
    velocities.col(last) = end(last - 1, std::max<Eigen::Index>(last - 2, 0));
  }
  return velocities;
}

double time_within(const OrientationSpline& spline, double time) {
  const double first = spline.times[0], last = spline.times[spline.times.size() - 1], span = last - first;
  if (!std::isfinite(time)) refuse(fmt::format("orientation spline: the time is {}, it must be finite", time));
  if (spline.ends == SignalEnds::closed) {
    time -= span * std::floor((time - first) / span);
  } else if (time < first - 1e-9 * span || time > last + 1e-9 * span) {
    refuse(fmt::format("orientation spline: the time {:.6g} s lies outside of the knots, which reach from {:.6g} to {:.6g} s",
                       time, first, last));
  }
  return std::clamp(time, first, last);
}

}  // namespace

OrientationSpline make_orientation_spline(const Eigen::VectorXd& times, const Eigen::MatrixXd& orientations,
                                          OrientationPath path, SignalEnds ends) {
  validate_knots(times, orientations, ends);
  OrientationSpline spline{times, orientations, {}, ends};
  spline.orientations.colwise().normalize();
  align_signs(spline.orientations);
  if (path == OrientationPath::hermite) spline.velocities = catmull_rom_velocities(times, spline.orientations, ends);
  return spline;
}

Quaternion<double> evaluate(const OrientationSpline& spline, double time) {
  time = time_within(spline, time);
  const double* times = spline.times.data();
  const Eigen::Index piece = std::clamp<Eigen::Index>(std::upper_bound(times, times + spline.times.size(), time) - times - 1, 0,
                                                      spline.times.size() - 2);
  const double width = spline.times[piece + 1] - spline.times[piece], s = (time - spline.times[piece]) / width;
  const Quaternion<double> start = quaternion_at(spline.orientations, piece);
  const Vector3<double> turn = turn_from(spline.orientations, piece);
  if (spline.velocities.size() == 0) return start * quaternion_of(s * turn);
  const auto velocity = [&](Eigen::Index i) {
    return Vector3<double>{spline.velocities(0, i), spline.velocities(1, i), spline.velocities(2, i)};
  };
  const Vector3<double> vector = (3 - 2 * s) * s * s * turn + ((s - 2) * s + 1) * s * width * velocity(piece) +
                                 (s - 1) * s * s * width * vector_velocity(turn, velocity(piece + 1));
  return start * quaternion_of(vector);
}

MotionSignal sample(const OrientationSpline& spline, double first_time, double time_step, int count) {
  validate_knots(spline.times, spline.orientations, spline.ends);
  if (count < 2 || !(time_step > 0) || !std::isfinite(time_step))
    refuse(fmt::format("sample: {} samples at a step of {} s are asked for; two samples and a positive step are the least",
                       count, time_step));
  MotionSignal signal{Eigen::MatrixXd(4, count), time_step, "1"};
  for (int k = 0; k < count; ++k) signal.values.block<4, 1>(0, k) = column_of(evaluate(spline, first_time + k * time_step));
  align_signs(signal.values);
  return signal;
}

MotionSignal resample_orientations(const MotionSignal& signal, int count, OrientationPath path, SignalEnds ends) {
  validate_orientations(signal, ends, "resample_orientations");
  if (count < 2) refuse(fmt::format("resample_orientations: {} samples are asked for, at least two are required", count));
  const Eigen::Index knots = signal.values.cols();
  const Eigen::VectorXd times = signal.time_step * Eigen::VectorXd::LinSpaced(knots, 0, static_cast<double>(knots - 1));
  return sample(make_orientation_spline(times, signal.values, path, ends), 0, signal.duration() / (count - 1), count);
}

}  // namespace holo
