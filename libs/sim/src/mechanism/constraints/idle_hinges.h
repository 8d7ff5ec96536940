#pragma once
// Idle spins that hinges allow: a body between two hinges of one axis, or a rod whose balls are made of three hinges each.

#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

struct IdleHinge {
  int joint;                // passive, a hinge: its turn is part of the spin
  std::vector<int> bodies;  // that move with it
};

// By the motions that the equations leave free at rest with all actuators held. One of them is idle where the points of all
// joints at the moving bodies, or some point of the axis of each hinge, stand still, and these hang by two joints or more: a
// mechanism that lacks an actuator moves such points, and what hangs by a single hinge is to be driven.
std::vector<IdleHinge> idle_hinges(const MechanismModel& model);

}  // namespace holo
