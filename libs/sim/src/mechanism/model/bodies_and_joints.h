#pragma once
// Reads the lists `bodies` and `joints` that describe a mechanism in YAML.

#include "holo/core/configuration.h"
#include "holo/sim/mechanism/model/mechanism_builder.h"

namespace holo {

// Adds them to `builder`. What a joint's plugin or the builder refuses becomes a problem of the file, with its place.
void read_bodies_and_joints(Configuration& robot, const PluginHost& plugins, MechanismBuilder& builder);

}  // namespace holo
