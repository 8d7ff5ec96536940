#pragma once
// The initial motion of a robot.

#include "studies/robot_design/robot_design_plan.h"

namespace holo {

// Values over the knots: of signals, and of the controls in the initial motion.
struct RobotSignals {
  SignalStore store;
  Eigen::MatrixXd initial_controls;  // [control of the assembly][knot] SI
};

struct InitialMotion {
  MechanismMotion motion;  // of the part that is designed
  LossData data;           // controls and design of that motion, and the targets, which must have been recorded
};

// By controls or inverse kinematics, with the design `design` of the plan's layout (SI); parameters of the assembly alone rest.
// Where joints are prescribed, the assembly moves first. Throws Error(input) where it cannot move so, and where no actuator is
// left that could be chosen.
InitialMotion make_initial_motion(const RobotDesignPlan& plan, const RobotSignals& signals, const Eigen::VectorXd& design);

}  // namespace holo
