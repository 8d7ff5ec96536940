#pragma once
// Reader of the `phases` of an `elastic_control` experiment (control_reader.h).

#include "signals/loss_reader.h"
#include "studies/elastic_control/control_reader.h"

namespace holo {

// Without the section there is one phase without losses of its own. Problems are reported through the configuration file.
void read_phases(Configuration& experiment, const LossSources& sources, std::vector<UsedPlugin>& plugins, ControlPlan& plan);

}  // namespace holo
