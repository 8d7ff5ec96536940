#pragma once
// The initial motion of a robot design.

#include "studies/robot_design/robot_design_plan.h"

namespace holo {

struct InitialMotion {
  MechanismMotion motion;  // of the subassembly that is designed
  LossData data;           // controls and design of that motion, and the targets, which must have been recorded
};

// The motion under the plan's controls, or by inverse kinematics. With prescribed joints, the assembly moves first and its
// motion is prescribed to the subassembly. Throws Error(input) if the robot cannot follow it, or if no actuator remains.
InitialMotion make_initial_motion(const RobotDesignPlan& plan);

}  // namespace holo
