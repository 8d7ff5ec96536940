#pragma once
// Dead points and change points that a motion passes between its knots, where nothing else looks: an optimizer moves each
// knot's pose by itself, and may leave neighbors on different assembly modes.

#include <string>
#include <vector>

#include "holo/sim/mechanism/kinematics/mechanism_motion.h"

namespace holo {

struct MotionPassage {
  double at = 0;     // between knots, as in ChangePoint; of a dead point where the motion from the knot before ends
  std::string text;  // for the user
};

// Of a motion with its choice of independent equations. Neighboring knots of one task whose Jacobians are close are fine;
// between others the controls move straight and forward kinematics follows, which must come to the later knot's pose.
// `time_step` [s], 0: unknown, for the texts.
std::vector<MotionPassage> motion_passages(const MechanismMotion& motion, const std::vector<int>& task_beginnings,
                                           double time_step);

}  // namespace holo
