#pragma once
// The couplings of a robot's file in a mechanism, whose coordinates count from rest.

#include <vector>

#include "holo/sim/articulated/articulated_kinematics.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"

namespace holo {

// Moves coupled joints that are not fixed to the positions that their couplings require, leaders first; adds a note for each
// joint that moves. Throws Error(input) for couplings in a cycle.
void settle_couplings(ArticulatedModel& model, const std::vector<bool>& fixed, ArticulatedPose& pose);

// Throws Error(input) if a coupling does not hold to `tolerance` [rad], or to `tolerance` times the length [m].
void require_couplings(const ArticulatedModel& model, const ArticulatedPose& pose, double length, double tolerance);

// Adds the couplings of two coordinates. A coupling of a coordinate to a constant fixes the joint (is_locked).
void add_couplings(const ArticulatedModel& model, const ArticulatedPose& pose, MechanismBuilder& builder);
// Whether a coupling makes the joint's coordinate a constant.
bool is_locked(const ArticulatedModel& model, std::size_t body);

}  // namespace holo
