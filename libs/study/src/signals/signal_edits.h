#pragma once
// Edits of signals, in the order in which an experiment lists them.

#include <vector>

#include "holo/core/configuration.h"
#include "signals/signal_definition.h"

namespace holo {

// The list `edits` of a signal; problems are reported through the configuration file.
std::vector<SignalEdit> read_edits(Configuration& signal, SignalQuantity quantity);

}  // namespace holo
