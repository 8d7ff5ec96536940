#pragma once
// The motion of a linear body from rest under a field of accelerations that begins to act, K u + M u'' = M a, by the
// trapezoidal rule, which neither damps nor gains energy; and the frequency of a sampled motion.

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "holo/sim/design/linear_vibration.h"

namespace holo {

class LinearMotion {
 public:
  // Of the body's last values.
  LinearMotion(const LinearVibration& body, double time_step);

  void step();
  const Eigen::VectorXd& displacements() const { return u_; }  // [3 * vertex] [m]
  // a^T M u over that of the body at rest under the field: it swings between 0 and 2.
  double amplitude() const;

 private:
  double time_step_;
  std::unique_ptr<SparseSolver> solver_;  // of K + 4/dt^2 M
  Eigen::VectorXd mass_, load_;           // [3 * vertex]; 0 at held vertices
  double at_rest_ = 1;                    // a^T M u of the equilibrium
  Eigen::VectorXd u_, v_, acceleration_;
};

// The frequency [Hz] of the largest peak of the spectrum of equidistant samples, less their mean, under Hann's window; between
// the spectrum's points by the ratio of two of them, which is exact for one cosine far from the frequency 0. Throws
// Error(internal) for less than eight samples.
double dominant_frequency(const std::vector<double>& samples, double time_step);

}  // namespace holo
