#pragma once
// Pose at rest of another design, approached in steps from the design at rest.

#include <Eigen/Core>
#include <string>

#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

struct DesignApproach {
  Eigen::VectorXd state;  // [state_count] in the layout's units: at the design, or at the last step that was reached
  int failed_step = 0;    // of design_approach_steps; 0: the design was reached
  std::string diagnosis;  // of the failed step
};

inline constexpr int design_approach_steps = 16;

// Forward kinematics with controls at rest for designs on the straight line from rest to `parameters` [parameter_count], each
// from the pose of the one before. `prescribed` [prescribed_count] SI; all else in the layout's units.
DesignApproach approach_design(const ConstraintEquations& equations, Eigen::VectorXd parameters,
                               const Eigen::MatrixXd& prescribed);

}  // namespace holo
