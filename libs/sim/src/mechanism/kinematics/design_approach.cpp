#include "mechanism/kinematics/design_approach.h"

#include <utility>

#include "holo/sim/mechanism/kinematics/forward_kinematics.h"

namespace holo {

namespace {

// The design at a fraction of the way from rest; quaternions are normalized.
Eigen::VectorXd toward(const MechanismLayout& layout, const Eigen::VectorXd& design, double part) {
  Eigen::VectorXd result = layout.rest_parameters() + part * (design - layout.rest_parameters());
  for (const int first : layout.parameter_quaternions()) result.segment<4>(first).normalize();
  return result;
}

}  // namespace

DesignApproach approach_design(const ConstraintEquations& equations, Eigen::VectorXd parameters,
                               const Eigen::MatrixXd& prescribed) {
  const MechanismLayout& layout = equations.layout();
  for (const int first : layout.parameter_quaternions())
    if (auto q = parameters.segment<4>(first); q[0] < 0) q = -q.eval();  // the shorter way from rest
  const Eigen::MatrixXd controls = layout.rest_controls();
  DesignApproach result{layout.rest_state(), 0, {}};
  for (int step = 1; step <= design_approach_steps; ++step) {
    const Eigen::VectorXd design = toward(layout, parameters, double(step) / design_approach_steps);
    const Kinematics next = forward_kinematics(equations, result.state, controls, design, prescribed);
    if (next.status != KinematicsStatus::done)
      return {std::move(result.state), step, std::string(to_string(next.status)) + ": " + next.diagnosis};
    result.state = next.states.col(0);
  }
  return result;
}

}  // namespace holo
