#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "holo/sim/motion/spline.h"
#include "motion/refusal.h"
#include "motion/spline_slopes.h"

namespace holo {

namespace {

void validate_knots(const Eigen::VectorXd& times, SignalEnds ends, const char* what) {
  const Eigen::Index least = ends == SignalEnds::closed ? 3 : 2;
  if (times.size() < least) refuse(fmt::format("{}: there are {} knots, at least {} are required", what, times.size(), least));
  for (Eigen::Index i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i])) refuse(fmt::format("{}: the time of knot {} is {}, it must be finite", what, i, times[i]));
    if (i > 0 && !(times[i] > times[i - 1]))
      refuse(fmt::format("{}: knot {} is at {} s, after knot {} at {} s; the times must ascend", what, i, times[i], i - 1,
                         times[i - 1]));
  }
}

// Sizes and finite values; of a closed spline also that the last knot has the first one's value and slope, to rounding.
void validate_spline(const CubicSpline& spline, const char* what) {
  validate_knots(spline.times, spline.ends, what);
  const Eigen::Index knots = spline.times.size();
  if (spline.values.cols() != knots || spline.values.rows() < 1 || spline.slopes.rows() != spline.values.rows() ||
      spline.slopes.cols() != knots)
    refuse(fmt::format("{}: there are {} knots, but {} x {} values and {} x {} slopes; both must be components x knots", what,
                       knots, spline.values.rows(), spline.values.cols(), spline.slopes.rows(), spline.slopes.cols()));
  if (!spline.values.allFinite() || !spline.slopes.allFinite())
    refuse(fmt::format("{}: a knot's value or slope is not finite", what));
  if (spline.ends == SignalEnds::open) return;
  const double gap = (spline.values.rightCols<1>() - spline.values.leftCols<1>()).cwiseAbs().maxCoeff();
  const double turn = (spline.slopes.rightCols<1>() - spline.slopes.leftCols<1>()).cwiseAbs().maxCoeff();
  if (gap > 1e-9 * spline.values.cwiseAbs().maxCoeff() || turn > 1e-9 * spline.slopes.cwiseAbs().maxCoeff())
    refuse(
        fmt::format("{}: the spline is to be closed, but its last knot differs from the first by {:.6g}, its slope by {:.6g}",
                    what, gap, turn));
}

// The piece that contains a time, its width [s], and the position s in it from 0 to 1.
struct Place {
  Eigen::Index piece;
  double width, s;
};

Place place_of(const Eigen::VectorXd& times, SignalEnds ends, double time) {
  const double first = times[0], last = times[times.size() - 1], span = last - first;
  if (!std::isfinite(time)) refuse(fmt::format("spline: the time is {}, it must be finite", time));
  if (ends == SignalEnds::closed) {
    // A closed spline is periodic: times are reduced to the first period.
    time -= span * std::floor((time - first) / span);
  } else if (time < first - 1e-9 * span || time > last + 1e-9 * span) {
    refuse(fmt::format("spline: the time {:.6g} s lies outside of the knots, which reach from {:.6g} to {:.6g} s", time, first,
                       last));
  }
  time = std::clamp(time, first, last);
  // Binary search for the first knot after the time. The last knot belongs to the last piece.
  const double* next = std::upper_bound(times.data(), times.data() + times.size(), time);
  const Eigen::Index piece = std::clamp<Eigen::Index>(next - times.data() - 1, 0, times.size() - 2);
  const double width = times[piece + 1] - times[piece];
  return {piece, width, (time - times[piece]) / width};
}

// Weights of the value and slope at the piece's first knot, and of those at its second one, in the derivative of `order` 0, 1
// or 2: the cubic Hermite basis in s and its derivatives in time, ds/dt = 1 / width.
std::array<double, 4> hermite_weights(double s, double width, int order) {
  if (order == 0) return {(2 * s - 3) * s * s + 1, ((s - 2) * s + 1) * s * width, (3 - 2 * s) * s * s, (s - 1) * s * s * width};
  if (order == 1) return {6 * (s - 1) * s / width, (3 * s - 4) * s + 1, 6 * (1 - s) * s / width, (3 * s - 2) * s};
  const double square = width * width;
  return {(12 * s - 6) / square, (6 * s - 4) / width, (6 - 12 * s) / square, (6 * s - 2) / width};
}

void require_knots_at_ends(const MotionSignal& signal, const Eigen::VectorXd& times, const char* what) {
  const double duration = signal.duration();
  if (std::abs(times[0]) > 1e-9 * duration || std::abs(times[times.size() - 1] - duration) > 1e-9 * duration)
    refuse(
        fmt::format("{}: the knots reach from {:.6g} to {:.6g} s, the signal from 0 to {:.6g} s; the first and last knots must "
                    "lie at its ends",
                    what, times[0], times[times.size() - 1], duration));
}

}  // namespace

CubicSpline make_spline(const Eigen::VectorXd& times, const Eigen::MatrixXd& values, SplineKind kind, SignalEnds ends) {
  CubicSpline spline{times, values, Eigen::MatrixXd::Zero(values.rows(), values.cols()), ends};
  validate_spline(spline, "spline");
  if (ends == SignalEnds::closed && kind == SplineKind::natural)
    refuse("spline: a natural spline has open ends; use the kind 'smooth' for a closed one");
  spline.slopes = spline_slopes(times, values, kind, ends);
  return spline;
}

CubicSpline make_spline(const Eigen::VectorXd& times, const Eigen::MatrixXd& values, const Eigen::MatrixXd& slopes,
                        SignalEnds ends) {
  CubicSpline spline{times, values, slopes, ends};
  validate_spline(spline, "spline");
  return spline;
}

CubicSpline spline_through(const MotionSignal& signal, SplineKind kind, SignalEnds ends) {
  validate(signal, ends, "spline");
  const Eigen::Index count = signal.values.cols();
  return make_spline(signal.time_step * Eigen::VectorXd::LinSpaced(count, 0, static_cast<double>(count - 1)), signal.values,
                     kind, ends);
}

Eigen::VectorXd evaluate(const CubicSpline& spline, double time, int order) {
  if (order < 0 || order > 2) refuse(fmt::format("spline: the derivative of order {} is asked for, allowed are 0 to 2", order));
  const Place place = place_of(spline.times, spline.ends, time);
  const std::array<double, 4> w = hermite_weights(place.s, place.width, order);
  return w[0] * spline.values.col(place.piece) + w[1] * spline.slopes.col(place.piece) +
         w[2] * spline.values.col(place.piece + 1) + w[3] * spline.slopes.col(place.piece + 1);
}

MotionSignal sample(const CubicSpline& spline, double first_time, double time_step, int count, const std::string& unit) {
  validate_spline(spline, "sample");
  if (count < 2 || !(time_step > 0) || !std::isfinite(time_step))
    refuse(fmt::format("sample: {} samples at a step of {} s are asked for; two samples and a positive step are the least",
                       count, time_step));
  MotionSignal signal{Eigen::MatrixXd(spline.values.rows(), count), time_step, unit};
  for (int k = 0; k < count; ++k) signal.values.col(k) = evaluate(spline, first_time + k * time_step);
  return signal;
}

MotionSignal resample(const MotionSignal& signal, int count, SplineKind kind, SignalEnds ends) {
  const CubicSpline spline = spline_through(signal, kind, ends);
  if (count < 2) refuse(fmt::format("resample: {} samples are asked for, at least two are required", count));
  MotionSignal result = sample(spline, 0, signal.duration() / (count - 1), count, signal.unit);
  if (ends == SignalEnds::closed) result.values.rightCols<1>() = result.values.leftCols<1>();
  return result;
}

MotionSignal displace(const MotionSignal& signal, const Eigen::VectorXd& knot_times, const Eigen::MatrixXd& displacements,
                      SignalEnds ends) {
  validate(signal, ends, "displace");
  // The displacement is a local spline, so that one knot changes the motion between its second neighbors only.
  const CubicSpline change = make_spline(knot_times, displacements, SplineKind::catmull_rom, ends);
  require_knots_at_ends(signal, knot_times, "displace");
  if (displacements.rows() != signal.values.rows())
    refuse(fmt::format("displace: the displacements have {} components, the signal has {}", displacements.rows(),
                       signal.values.rows()));
  MotionSignal result = signal;
  result.values += sample(change, 0, signal.time_step, signal.sample_count(), signal.unit).values;
  if (ends == SignalEnds::closed) result.values.rightCols<1>() = result.values.leftCols<1>();
  return result;
}

}  // namespace holo
