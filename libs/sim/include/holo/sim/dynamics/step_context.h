#pragma once
// The time step for which a potential is minimized.

#include <Eigen/Core>

#include "holo/sim/dynamics/time_integration.h"

namespace holo {

// A step from (x_n, v_n) at `start_time` to `end_time`. Without the last members it is one of implicit Euler.
struct StepContext {
  const Eigen::VectorXd& positions;   // x_n [3 * vertex] [m]
  const Eigen::VectorXd& velocities;  // v_n [3 * vertex] [m/s]
  double time_step = 0;               // dt [s], > 0
  double start_time = 0;              // [s]
  double end_time = 0;                // [s]
  StepFormula formula = {};
  // x_{n-1} [m] and v_{n-1} [m/s]; null for formulas that do not use them
  const Eigen::VectorXd* previous_positions = nullptr;
  const Eigen::VectorXd* previous_velocities = nullptr;

  // h: inertia is that of the potential 1/(2 h^2) |x - predicted_positions()|_M^2, and v_{n+1} = (x - y)/h [s].
  double effective_step() const { return formula.step_fraction * time_step; }
  // y [3 * vertex] [m]
  Eigen::VectorXd reference_positions() const { return extrapolated(positions, previous_positions); }
  // y + h w [3 * vertex] [m], to which the step goes without forces
  Eigen::VectorXd predicted_positions() const {
    return reference_positions() + effective_step() * extrapolated(velocities, previous_velocities);
  }
  // v_{n+1} for the end x [3 * vertex] [m/s]
  Eigen::VectorXd velocities_at(const Eigen::VectorXd& x) const { return (x - reference_positions()) / effective_step(); }

 private:
  Eigen::VectorXd extrapolated(const Eigen::VectorXd& now, const Eigen::VectorXd* before) const {
    if (!formula.uses_previous()) return now;
    return now + formula.extrapolation * (now - *before);
  }
};

}  // namespace holo
