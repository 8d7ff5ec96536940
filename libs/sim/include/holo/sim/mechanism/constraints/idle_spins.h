#pragma once
// Removal of idle spins. A body between two passive spherical joints can spin about the line through both without moving
// another body, so that the actuators do not determine it. A universal joint in place of one spherical joint fixes the spin. A
// spin between hinges (two about one axis, or three that form a spherical joint) is fixed by fixing one hinge.

#include <string>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

class PluginHost;

struct FixedSpin {
  std::vector<std::string> bodies;  // bodies that spin together
  std::string joint;                // the joint that is changed
  std::string was, is;              // its type before and after
};

// The mechanism with all idle spins fixed; appends the changes to `spins`. The universal joint's two axes are perpendicular to
// the line at rest. If the line swings by 90 degrees about the second axis, it lies along the first, and the spin is free again
// there. Bodies between two spherical joints at one point do not change. Spins between hinges are found from the free motions
// at rest (idle_hinges.h).
MechanismModel without_idle_spins(const MechanismModel& model, const PluginHost& plugins, std::vector<FixedSpin>& spins);

}  // namespace holo
