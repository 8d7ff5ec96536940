#pragma once
// Signals in time, such as targets of losses: components at samples with a constant step, and edits of them. Orientations
// have edits of their own: orientation_signal.h.
//
// Impossible operations (a signal without samples, a map of another size) throw Error(input) that states what was found and
// what is allowed; it names no file, since a signal knows none.

#include <Eigen/Core>
#include <string>
#include <utility>

namespace holo {

// Sample k is at the time k * time_step, so N samples last N - 1 steps. A closed signal ends where it began: its last sample
// is its first again, and its period N - 1 steps.
struct MotionSignal {
  Eigen::MatrixXd values;  // [component][sample], in `unit`
  double time_step = 0;    // [s], positive
  std::string unit = "1";

  int component_count() const { return static_cast<int>(values.rows()); }
  int sample_count() const { return static_cast<int>(values.cols()); }
  double duration() const { return (static_cast<double>(values.cols()) - 1) * time_step; }  // [s]
};

enum class SignalEnds { open, closed };

// x becomes matrix x + offset.
struct AffineMap {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd offset;
};

// The mirror image of points. `normal`: of the plane, of any length above zero; `point`: in the plane.
AffineMap reflection(const Eigen::Vector3d& normal, const Eigen::Vector3d& point = Eigen::Vector3d::Zero());

// Requires at least one component, two samples, a positive time step and finite values; with closed ends also that the last
// sample is the first to 1e-9 of the largest value. `what` begins the message: "target of the left foot".
void validate(const MotionSignal& signal, SignalEnds ends, const std::string& what);

// The samples first, first + 1, ..., first + count - 1.
MotionSignal segment(const MotionSignal& signal, int first, int count);

// Each sample mapped; the components are those of the map's rows.
MotionSignal affine_map(const MotionSignal& signal, const AffineMap& map);

// Each component's distance from its mean over time, times `factors` [component]. A closed signal's seam counts once.
MotionSignal scale_about_mean(const MotionSignal& signal, const Eigen::VectorXd& factors, SignalEnds ends);

// A closed signal half a period later. The number of steps must be even, here and in symmetrize().
MotionSignal half_period_later(const MotionSignal& signal);

// The nearest motion that is its own mirror image half a period later, such as a pelvis' in a gait: the mean of x(t) and of
// mirror(x(t + T/2)). `mirror` must be its own inverse.
MotionSignal symmetrize(const MotionSignal& signal, const AffineMap& mirror);
// The nearest two of which each is the other's mirror image half a period later, such as those of two feet.
std::pair<MotionSignal, MotionSignal> symmetrize(const MotionSignal& left, const MotionSignal& right, const AffineMap& mirror);

// Minimizes sum |y - x|^2 + lambda sum |second differences of y|^2. Halves the amplitude at `cutoff_frequency` [Hz], without
// delay: the gain at f is 1 / (1 + (sin(pi f h) / sin(pi cutoff h))^4). Keeps the mean; with open ends straight lines too.
// `cutoff_frequency` from 1/1000 of the sampling frequency to half of it.
MotionSignal smooth(const MotionSignal& signal, double cutoff_frequency, SignalEnds ends);

// Ends the signal where it began: the gap between its ends is taken back over the last `window` [s], as 6 s^5 - 15 s^4 + 10
// s^3, so that velocities and accelerations at the ends stay as they were.
MotionSignal close_loop(const MotionSignal& signal, double window);

// 6 s^5 - 15 s^4 + 10 s^3, 0 below s = 0 and 1 above s = 1: twice differentiable.
double smoother_step(double s);

}  // namespace holo
