#pragma once
// Detection of dead points and change points between the knots of a motion. An optimizer moves the pose of each knot separately
// and may leave neighboring knots on different assembly modes.

#include <string>
#include <vector>

#include "holo/sim/mechanism/kinematics/mechanism_motion.h"

namespace holo {

struct MotionPassage {
  double at = 0;     // position in knots, as in ChangePoint; of a dead point that where the motion from the knot before ends
  std::string text;  // for the user
};

// The passages of a motion, by its independent equations. No passage lies between neighboring knots of a task with close
// Jacobians. Between other neighbors the controls vary linearly, and forward kinematics must reach the pose of the later knot.
// `time_step` [s] is for the texts; 0: unknown.
std::vector<MotionPassage> motion_passages(const MechanismMotion& motion, const std::vector<int>& task_beginnings,
                                           double time_step);

}  // namespace holo
