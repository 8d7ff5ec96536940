#pragma once
// Reader of an experiment's section `robot`:
//
//   robot: {file: robots/legs.yaml}             # the two lists below, in a file of their own
//   robot: {file: leg.urdf, loop_file: leg.yaml}
//   robot:
//     bodies: [{name: crank, origin: [0.3, 0.4, 0]}, ...]
//     joints:
//       - {name: pivot, type: revolute, between: [world, crank], point: [0, 0, 0], axis: [0, 0, 1], role: actuator}
//   robot: {file: robots/legs.yaml, frozen: [hip_left], prescribed: [knee_right], removed: [kcrank_right]}

#include <memory>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mechanism/model/mechanism_cut.h"

namespace holo {

// Reads the section `robot` of `parent`. Errors of the joints' plugins and of MechanismModel become problems of the file.
// Joints of the role `prescribed`, or listed under `prescribed`, are passive in the assembly. Both models are null after a
// problem, and while a schema is recorded.
MechanismCut read_mechanism(Configuration& parent, const PluginHost& plugins);

}  // namespace holo
