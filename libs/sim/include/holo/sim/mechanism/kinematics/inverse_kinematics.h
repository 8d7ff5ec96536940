#pragma once
// The motion of a mechanism whose actuators are passive that comes nearest to what losses ask of its bodies. What its actuators
// measure on the way is a start that redundant actuators agree on. [Maloisel2023] sequential inverse kinematics, on the passive
// equations.

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <vector>

#include "holo/sim/mechanism/losses/mechanism_losses.h"
#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

struct InverseKinematicsOptions {
  double keep = 1e-5;                 // weight of half the squared distance from the knot before: decides what no loss asks for
  double step_tolerance = 1e-7;       // of the last step, in the layout's units
  double equation_tolerance = 1e-12;  // of the equations
  double gain_tolerance = 1e-8;       // relative, of what is minimized: three smaller gains in a row are the end, too, for
                                      // Gauss-Newton comes to a pose far from its target by ever smaller steps
  int max_iterations = 100;           // of a knot
  // Largest rate of a control [rad/s or m/s]: one that would be faster is held at what it can reach from the knot before,
  // and the others do what they can. Looks no further than one knot, as sequential inverse kinematics does.
  double rate_limit = std::numeric_limits<double>::infinity();
};

struct InverseKinematics {
  Eigen::MatrixXd states;       // [state_count][knot], in the units of the layout without an elimination
  std::vector<int> iterations;  // Gauss-Newton's, of each knot
};

// Each task of the motion begins at rest. Of the losses only those count that observe nothing but bodies. `parameters` and
// `prescribed` as in a motion: SI units, [parameter_count], [prescribed_count][knot]. A knot that no pose fits well
// still ends with the best pose nearby. Throws Error(input) where no loss observes bodies only, or where a knot does not
// converge, with the knot and the worst equation; with a rate limit also for an actuator of several coordinates.
InverseKinematics inverse_kinematics(std::shared_ptr<const MechanismModel> model, const std::vector<NamedLoss>& losses,
                                     const LossData& data, const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                                     const InverseKinematicsOptions& options = {});

}  // namespace holo
