#pragma once
// Idle spins that hinges allow: a body between two hinges of one axis, or a rod whose balls are made of three hinges each.

#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

struct IdleHinge {
  int joint;                // a passive hinge whose rotation is part of the spin
  std::vector<int> bodies;  // bodies that spin with it
};

// Finds idle hinges from the motions that the equations leave free at rest with fixed actuators. A motion is idle if the points
// of all joints at the moving bodies, or some point on the axis of each hinge, do not move, and if the bodies have two or more
// joints. A mechanism that lacks an actuator moves such points, and a body on a single hinge needs an actuator.
std::vector<IdleHinge> idle_hinges(const MechanismModel& model);

}  // namespace holo
