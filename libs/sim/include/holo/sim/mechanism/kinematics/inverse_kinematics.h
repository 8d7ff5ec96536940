#pragma once
// Sequential inverse kinematics [Maloisel2023]: the motion of the mechanism with passive actuators that minimizes losses of its
// bodies, knot after knot. The controls that belong to its poses are an initial motion without conflicts between redundant
// actuators.

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <vector>

#include "holo/sim/mechanism/losses/mechanism_losses.h"
#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

struct InverseKinematicsOptions {
  double keep =
      1e-5;  // weight of half the squared distance from the knot before, which determines the states that no loss determines
  double step_tolerance = 1e-7;       // largest last step, in the layout's units
  double equation_tolerance = 1e-12;  // largest residual, in the layout's units
  double gain_tolerance = 1e-8;       // relative gain of the minimized sum; three successive smaller gains also end the
                                      // iterations, since Gauss-Newton converges slowly to a pose far from its target
  int max_iterations = 100;           // for one knot
  // Largest rate of a control [rad/s or m/s]. A faster control is fixed at the nearest value that it can reach from the knot
  // before, and the others minimize the losses. Later knots are not considered.
  double rate_limit = std::numeric_limits<double>::infinity();
};

struct InverseKinematics {
  Eigen::MatrixXd states;       // [state_count][knot], in the units of the layout without an elimination
  std::vector<int> iterations;  // [knot] of the Gauss-Newton method
};

// The motion at all knots of `data`; each task begins at rest. Losses that observe anything but bodies are not used.
// `parameters` [parameter_count] and `prescribed` [prescribed_count][knot] are in SI units. A knot whose targets are out of
// reach gets the best pose nearby. Throws Error(input) if no loss observes only bodies, or if a knot does not converge, with
// the knot and the worst equation; with a rate limit also for an actuator of several coordinates.
InverseKinematics inverse_kinematics(std::shared_ptr<const MechanismModel> model, const std::vector<NamedLoss>& losses,
                                     const LossData& data, const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                                     const InverseKinematicsOptions& options = {});

}  // namespace holo
