#pragma once
// The initial motion of a robot design.

#include "studies/robot_design/robot_design_plan.h"

namespace holo {

struct InitialMotion {
  MechanismMotion motion;  // of the part that is designed
  LossData data;           // controls and design of that motion, and the signals
};

// By controls or inverse kinematics. Where joints play back, the whole robot moves first. Throws Error(input) where it cannot
// move so, and where no actuator is left that could be chosen.
InitialMotion make_initial_motion(const RobotDesignPlan& plan, const SignalStore& signals,
                                  const Eigen::MatrixXd& initial_controls);

}  // namespace holo
