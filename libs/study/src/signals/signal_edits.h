#pragma once
// Reader of edits of signals, which apply in the order of the experiment.

#include <vector>

#include "holo/core/configuration.h"
#include "signals/signal_definition.h"

namespace holo {

// Reads the list `edits` of a signal; problems are reported through the configuration file.
std::vector<SignalEdit> read_edits(Configuration& signal, SignalQuantity quantity);

}  // namespace holo
