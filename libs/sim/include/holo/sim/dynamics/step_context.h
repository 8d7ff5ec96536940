#pragma once
// The time step for which a potential is minimized.

#include <Eigen/Core>

namespace holo {

// A step of implicit Euler from (x_n, v_n) at `start_time` to `end_time`: v_{n+1} = (x_{n+1} - x_n)/time_step.
struct StepContext {
  const Eigen::VectorXd& positions;   // x_n [3 * vertex] [m]
  const Eigen::VectorXd& velocities;  // v_n [3 * vertex] [m/s]
  double time_step = 0;               // [s], > 0
  double start_time = 0;              // [s]
  double end_time = 0;                // [s]
};

}  // namespace holo
