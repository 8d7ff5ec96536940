#pragma once
// Units of a mechanism's controls and design parameters. Private.

#include <string>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

// "rad", "m", or "1" of a quaternion's numbers; in the layout's order.
std::vector<std::string> control_units(const MechanismLayout& layout);
std::vector<std::string> parameter_units(const MechanismLayout& layout);

}  // namespace holo
