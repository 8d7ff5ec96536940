#pragma once
// Reader of an experiment's losses: plugins with their parameters, applied to named bodies, controls and signals.

#include <vector>

#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/losses/loss_data.h"
#include "holo/study/study.h"

namespace holo {

struct LossSources {
  const PluginHost& host;
  const SimulationNames* names;  // null after problems of the file
  SignalNames* signals;          // null exactly if `names` is
};

// Reads one entry of the list: one loss, or one for each of several names. Appends them to `losses`, under different names
// ("track_position.hand", "track_position.hand.2"), and the plugin to `plugins`. Problems are reported through the
// configuration file.
void read_loss(Configuration& entry, const LossSources& sources, std::vector<UsedPlugin>& plugins,
               std::vector<NamedLoss>& losses);

}  // namespace holo
