#pragma once
// Piecewise cubic curves through knots, as values and slopes there. Every kind (twice differentiable, Catmull-Rom, monotone,
// slopes of the user's) differs in its slopes alone, so that a knot can be moved and the slopes chosen anew. Eigen's own
// splines are neither periodic nor of Hermite's form, and stand among its unsupported modules.

#include <Eigen/Core>
#include <string>

#include "holo/sim/motion/signal.h"

namespace holo {

struct CubicSpline {
  Eigen::VectorXd times;               // [knot], ascending [s]
  Eigen::MatrixXd values;              // [component][knot]
  Eigen::MatrixXd slopes;              // [component][knot], per second
  SignalEnds ends = SignalEnds::open;  // closed: periodic, the last knot is the first again
};

enum class SplineKind {
  smooth,       // twice differentiable; open ends by the not-a-knot rule: exact for cubics, error O(h^4) up to the ends
  natural,      // twice differentiable, without curvature at the open ends: exact for straight lines
  catmull_rom,  // local: the slope of the parabola through a knot and its neighbors. Exact for parabolas
  monotone      // local: does not overshoot the knots (Fritsch, Butland)
};

// Through `values` [component][knot] at `times` [knot]. Throws Error(input): fewer than two knots (closed: three), times that
// do not ascend, what is not finite, closed ends that differ, a natural spline that is closed.
CubicSpline make_spline(const Eigen::VectorXd& times, const Eigen::MatrixXd& values, SplineKind kind,
                        SignalEnds ends = SignalEnds::open);
// The cubic Hermite spline with given slopes [component][knot] per second.
CubicSpline make_spline(const Eigen::VectorXd& times, const Eigen::MatrixXd& values, const Eigen::MatrixXd& slopes,
                        SignalEnds ends = SignalEnds::open);
// The spline through all samples of a signal.
CubicSpline spline_through(const MotionSignal& signal, SplineKind kind, SignalEnds ends = SignalEnds::open);

// The value (order 0), velocity (1) or acceleration (2), [component]. Open: `time` within the knots, to 1e-9 of their span;
// beyond them throws Error(input).
Eigen::VectorXd evaluate(const CubicSpline& spline, double time, int order = 0);

// Samples first_time, first_time + time_step, ...
MotionSignal sample(const CubicSpline& spline, double first_time, double time_step, int count, const std::string& unit);

// The signal at `count` samples: the duration does not change, the step becomes duration / (count - 1).
MotionSignal resample(const MotionSignal& signal, int count, SplineKind kind = SplineKind::smooth,
                      SignalEnds ends = SignalEnds::open);

// Adds the Catmull-Rom spline through `displacements` [component][knot] (in the signal's unit): moving one knot changes the
// motion between the second knots to its left and right. The first and last
// knots lie at the signal's ends; closed: the last displacement is the first.
MotionSignal displace(const MotionSignal& signal, const Eigen::VectorXd& knot_times, const Eigen::MatrixXd& displacements,
                      SignalEnds ends = SignalEnds::open);

}  // namespace holo
