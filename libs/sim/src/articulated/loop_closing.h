#pragma once
// Measures how far a model's loops are open, and moves its joints until they close.

#include <vector>

#include "holo/sim/articulated/articulated_kinematics.h"

namespace holo {

struct LoopGap {
  double distance = 0;  // [m]
  double angle = 0;     // [rad], 0 where the loop leaves rotation free
};

// The coordinate of the coupled joint minus the value of its coupling's polynomial [rad or m].
double coupling_gap(const JointCoupling& coupling, const ArticulatedPose& pose);

std::vector<LoopGap> loop_gaps(const ArticulatedModel& model, const ArticulatedPose& pose);

// Half the diagonal of the box around all bodies and joints [m]; 1 where that is 0.
double extent(const ArticulatedModel& model, const ArticulatedPose& pose);

// Minimizes the gaps of loops and couplings by Levenberg's damped Gauss-Newton steps, from the given pose, over the joints that
// are not fixed. It follows the gaps downhill to a closed pose near the start; where it stops at open loops, it starts again
// from shifted poses, always the same ones. The gaps of loops that it cannot close remain.
void close_loops(const ArticulatedModel& model, const std::vector<bool>& fixed, ArticulatedPose& pose);

}  // namespace holo
