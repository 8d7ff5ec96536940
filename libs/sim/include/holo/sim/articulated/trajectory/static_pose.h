#pragma once
// A pose in which a character stays at rest with controls: FD(q, q, q) = 0 for all degrees of freedom without actuator.

#include <string>

#include "holo/sim/articulated/dynamics/character_model.h"
#include "holo/sim/articulated/dynamics/step_data.h"

namespace holo::articulated {

struct StaticPoseOptions {
  double tolerance = 1e-10;  // of the largest residual, relative to the character's weight (at least 1 N)
  int max_iterations = 200;  // of each of its two methods
};

struct StaticPose {
  CharacterPose pose;
  bool is_found = false;
  double residual = 0;    // largest |FD| of an unactuated degree of freedom [N or N m]
  int dof = -1;           // whose residual this is; -1: there is none
  std::string diagnosis;  // empty if found
};

// Near `nominal`, whose reference rotations it keeps: the base sinks along gravity until contact carries the weight, then the
// method of Levenberg and Marquardt finds the nearest pose in equilibrium, and Newton steps of least norm finish. A character
// in the air has no contact force that could change: without an obstacle below the base no pose is found.
StaticPose find_static_pose(const CharacterModel& model, const StepConstants& step, const CharacterPose& nominal,
                            const StaticPoseOptions& options = {});

}  // namespace holo::articulated
