#pragma once
// Initial motion of a robot design.

#include "studies/robot_design/robot_design_plan.h"

namespace holo {

// Values over the knots: of signals, and of the controls in the initial motion.
struct RobotSignals {
  SignalStore store;
  Eigen::MatrixXd initial_controls;  // [control of the assembly][knot] SI
};

struct InitialMotion {
  MechanismMotion motion;  // of the subassembly that is designed
  LossData data;           // controls and design of that motion, and the targets, which must have been recorded
};

// The motion under the plan's controls, or by inverse kinematics, at the design `design` of the plan's layout (SI units);
// parameters of the assembly only are at rest. With prescribed joints, the assembly moves first and its motion is prescribed to
// the subassembly. Throws Error(input) if the robot cannot follow it, or if no actuator remains.
InitialMotion make_initial_motion(const RobotDesignPlan& plan, const RobotSignals& signals, const Eigen::VectorXd& design);

}  // namespace holo
