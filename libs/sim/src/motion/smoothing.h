#pragma once
// The smoother behind smooth() and smooth_orientations().

#include <Eigen/Core>

namespace holo {

// lambda of smooth(). Throws Error(input) for a frequency out of its range; `what` begins the message.
double smoothing_weight(double cutoff_frequency, double time_step, const char* what);

// Minimizes sum |y - x|^2 + lambda sum |second differences of y|^2 over `values` [component][sample], with open ends.
Eigen::MatrixXd smoothed_open(const Eigen::MatrixXd& values, double lambda);
// Minimizes the same for one period of a closed signal, without its last sample. `sign`: factor of the values one period later,
// 1, or -1 for quaternions that come back negated.
Eigen::MatrixXd smoothed_closed(const Eigen::MatrixXd& values, double lambda, double sign);

}  // namespace holo
