#pragma once
// Reads losses that an experiment lists: each is a plugin with its parameters, on named things of a simulation.

#include <vector>

#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/losses/loss_data.h"
#include "holo/study/study.h"

namespace holo {

struct LossSources {
  const PluginHost& host;
  const SimulationNames* names;  // null where they are not known, after problems of the file
  SignalNames* signals;          // null with `names`
};

// One entry of the list: one loss, or one for each of several names. Problems go to the file's account. Appends to `losses`,
// whose names differ ("track_position.hand", and "track_position.hand.2" for a second one), and the plugin to `plugins`.
void read_loss(Configuration& entry, const LossSources& sources, std::vector<UsedPlugin>& plugins,
               std::vector<NamedLoss>& losses);

}  // namespace holo
