#pragma once
// Rods between two balls: what hangs by two passive spherical joints alone can spin about the line through both without moving
// anything else, so that nothing that is driven decides over it. Such a spin is fixed, by a universal joint in the place of one
// of the balls. What spins idly between hinges (two of one axis, or balls made of three) is fixed by fixing one of them.

#include <string>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

class PluginHost;

struct FixedSpin {
  std::vector<std::string> bodies;  // that spin together
  std::string joint;                // that was changed
  std::string was, is;              // its type
};

// The mechanism with every such spin fixed, and what was done. The universal joint's two axes are at right angles to the line
// at rest; where the line swings by 90 degrees about the second of them it would come to lie along the first, and the spin
// would be free again there. Bodies between two balls at one point stay as they are. Between hinges it is the motion that is
// free at rest that tells: idle_hinges.h.
MechanismModel without_idle_spins(const MechanismModel& model, const PluginHost& plugins, std::vector<FixedSpin>& spins);

}  // namespace holo
