#include "holo/sim/motion/signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motion/refusal.h"

namespace holo {

namespace {

// Half a period later is a sample only if the period has an even number of steps.
void require_even_steps(const MotionSignal& signal, const std::string& what) {
  if (signal.sample_count() % 2 == 0)
    refuse(fmt::format("{}: the period has {} steps, half of it is no sample; resample the signal to an even number of steps",
                       what, signal.sample_count() - 1));
}

// The symmetric mean is its own mirror image only if the mirror is an involution: A (A x + b) + b = x, so A A = 1 and A b + b
// = 0.
void require_involution(const AffineMap& mirror, Eigen::Index components) {
  if (mirror.matrix.rows() != components || mirror.matrix.cols() != components || mirror.offset.size() != components)
    refuse(fmt::format("symmetrize: the mirror's matrix is {} x {} with an offset of {}, the signal has {} components",
                       mirror.matrix.rows(), mirror.matrix.cols(), mirror.offset.size(), components));
  const Eigen::MatrixXd twice = mirror.matrix * mirror.matrix;
  const Eigen::VectorXd moved = mirror.matrix * mirror.offset + mirror.offset;
  const double gap = (twice - Eigen::MatrixXd::Identity(components, components)).cwiseAbs().maxCoeff();
  if (!(gap < 1e-9) || !(moved.cwiseAbs().maxCoeff() <= 1e-9 * (1 + mirror.offset.cwiseAbs().maxCoeff())))
    refuse(
        fmt::format("symmetrize: the mirror applied twice does not give back what it began with (off by {:.3g} in the matrix); "
                    "a reflection is required",
                    gap));
}

Eigen::MatrixXd mapped(const Eigen::MatrixXd& values, const AffineMap& map) {
  return (map.matrix * values).colwise() + map.offset;
}

}  // namespace

// First and second derivatives vanish at s = 0 and s = 1, so that blended signals stay twice differentiable.
double smoother_step(double s) {
  s = std::clamp(s, 0.0, 1.0);
  return s * s * s * (s * (6 * s - 15) + 10);
}

AffineMap reflection(const Eigen::Vector3d& normal, const Eigen::Vector3d& point) {
  const double length = normal.norm();
  if (!(length > 0) || !std::isfinite(length) || !point.allFinite())
    refuse(fmt::format("reflection: the plane's normal is ({}, {}, {}), a finite vector of length above 0 is required",
                       normal[0], normal[1], normal[2]));
  // x - 2 n n.(x - p) for the unit normal n and a point p of the plane.
  const Eigen::Vector3d n = normal / length;
  AffineMap map{Eigen::MatrixXd(3, 3), Eigen::VectorXd(3)};
  map.matrix.topLeftCorner<3, 3>() = Eigen::Matrix3d::Identity() - 2 * n * n.transpose();
  map.offset.head<3>() = 2 * n.dot(point) * n;
  return map;
}

// The checks go from sizes to values to the ends, so that the first message names the basic fault.
void validate(const MotionSignal& signal, SignalEnds ends, const std::string& what) {
  if (signal.component_count() < 1 || signal.sample_count() < 2)
    refuse(fmt::format("{}: the signal has {} components at {} samples; at least one component and two samples are required",
                       what, signal.values.rows(), signal.values.cols()));
  if (!(signal.time_step > 0) || !std::isfinite(signal.duration()))
    refuse(fmt::format("{}: the time step is {} s, a positive finite one is required", what, signal.time_step));
  for (Eigen::Index k = 0; k < signal.values.cols(); ++k)
    for (Eigen::Index i = 0; i < signal.values.rows(); ++i)
      if (!std::isfinite(signal.values(i, k)))
        refuse(fmt::format("{}: component {} at sample {} (t = {:.6g} s) is {}, finite numbers are required", what, i, k,
                           static_cast<double>(k) * signal.time_step, signal.values(i, k)));
  if (ends == SignalEnds::open) return;
  const Eigen::VectorXd gap = signal.values.rightCols<1>() - signal.values.leftCols<1>();
  Eigen::Index component = 0;
  const double largest = gap.cwiseAbs().maxCoeff(&component);
  if (largest > 1e-9 * signal.values.cwiseAbs().maxCoeff())
    refuse(
        fmt::format("{}: the signal is not closed, component {} ends {:.6g} {} from where it began; close it with close_loop",
                    what, component, gap[component], signal.unit));
}

MotionSignal segment(const MotionSignal& signal, int first, int count) {
  validate(signal, SignalEnds::open, "segment");
  if (first < 0 || count < 2 || first > signal.sample_count() - count)
    refuse(fmt::format("segment: {} samples from sample {} on are asked for, the signal has the samples 0 to {}", count, first,
                       signal.sample_count() - 1));
  return {signal.values.middleCols(first, count), signal.time_step, signal.unit};
}

MotionSignal affine_map(const MotionSignal& signal, const AffineMap& map) {
  validate(signal, SignalEnds::open, "affine_map");
  if (map.matrix.cols() != signal.component_count() || map.matrix.rows() < 1 || map.offset.size() != map.matrix.rows())
    refuse(fmt::format(
        "affine_map: the matrix is {} x {} with an offset of {}, the signal has {} components; as many columns, and "
        "an offset of the matrix' rows are required",
        map.matrix.rows(), map.matrix.cols(), map.offset.size(), signal.component_count()));
  MotionSignal result{mapped(signal.values, map), signal.time_step, signal.unit};
  validate(result, SignalEnds::open, "affine_map");  // a map that is not finite
  return result;
}

MotionSignal scale_about_mean(const MotionSignal& signal, const Eigen::VectorXd& factors, SignalEnds ends) {
  validate(signal, ends, "scale_about_mean");
  if (factors.size() != signal.component_count() || !factors.allFinite())
    refuse(fmt::format("scale_about_mean: there are {} factors, a finite one for each of the {} components is required",
                       factors.size(), signal.component_count()));
  // The last sample of a closed signal repeats the first, so that it does not count in the mean.
  const Eigen::Index counted = signal.values.cols() - (ends == SignalEnds::closed ? 1 : 0);
  const Eigen::VectorXd mean = signal.values.leftCols(counted).rowwise().mean();
  MotionSignal result = signal;
  result.values = (factors.asDiagonal() * (signal.values.colwise() - mean)).colwise() + mean;
  return result;
}

MotionSignal half_period_later(const MotionSignal& signal) {
  validate(signal, SignalEnds::closed, "half_period_later");
  require_even_steps(signal, "half_period_later");
  // The two halves of the period change places; both contain the middle sample, and the seam is written last.
  const Eigen::Index half = (signal.values.cols() - 1) / 2;
  MotionSignal result = signal;
  result.values.leftCols(half + 1) = signal.values.rightCols(half + 1);
  result.values.rightCols(half + 1) = signal.values.leftCols(half + 1);
  result.values.rightCols<1>() = result.values.leftCols<1>();
  return result;
}

MotionSignal symmetrize(const MotionSignal& signal, const AffineMap& mirror) {
  return symmetrize(signal, signal, mirror).first;
}

std::pair<MotionSignal, MotionSignal> symmetrize(const MotionSignal& left, const MotionSignal& right, const AffineMap& mirror) {
  require_involution(mirror, left.component_count());
  if (left.sample_count() != right.sample_count() || left.component_count() != right.component_count() ||
      left.time_step != right.time_step)
    refuse(
        fmt::format("symmetrize: the left signal has {} components at {} samples of {} s, the right one {} at {} of {} s; they "
                    "must agree",
                    left.component_count(), left.sample_count(), left.time_step, right.component_count(), right.sample_count(),
                    right.time_step));
  // Orthogonal projection on the pairs of signals of which each is the other's mirror image half a period later: the mean of
  // each signal and the mirror image of the other one. The mean is the nearest such pair because the map is an involution
  // that keeps distances.
  const Eigen::MatrixXd left_later = half_period_later(left).values, right_later = half_period_later(right).values;
  std::pair<MotionSignal, MotionSignal> result{left, right};
  result.first.values = 0.5 * (left.values + mapped(right_later, mirror));
  result.second.values = 0.5 * (right.values + mapped(left_later, mirror));
  return result;
}

MotionSignal close_loop(const MotionSignal& signal, double window) {
  validate(signal, SignalEnds::open, "close_loop");
  if (!(window > 0) || window > signal.duration() * (1 + 1e-9))
    refuse(fmt::format("close_loop: the window is {} s, allowed is what lies above 0 and up to the duration of {:.6g} s",
                       window, signal.duration()));
  const Eigen::VectorXd gap = signal.values.rightCols<1>() - signal.values.leftCols<1>();
  MotionSignal result = signal;
  const Eigen::Index last = signal.values.cols() - 1;
  for (Eigen::Index k = 0; k < last; ++k)
    // The correction grows from 0 at the window's beginning to the complete gap at the end, with vanishing derivatives at
    // both.
    result.values.col(k) -= gap * smoother_step(1 - static_cast<double>(last - k) * signal.time_step / window);
  result.values.col(last) = result.values.col(0);
  return result;
}

}  // namespace holo
