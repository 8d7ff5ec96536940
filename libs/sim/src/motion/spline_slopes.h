#pragma once
// The slopes of a cubic spline at its knots.

#include "holo/sim/motion/spline.h"

namespace holo {

// [component][knot], per second; of knots that make_spline() has checked.
Eigen::MatrixXd spline_slopes(const Eigen::VectorXd& times, const Eigen::MatrixXd& values, SplineKind kind, SignalEnds ends);

}  // namespace holo
