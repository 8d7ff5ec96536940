#pragma once
// Reader of the sections `let` and `signals` of an experiment with one motion.

#include <string>

#include "holo/core/configuration.h"
#include "signals/signal_plan.h"

namespace holo {

// Reads variables and signals of the common sources into the plan. Problems are reported through the configuration file.
void read_signal_section(Configuration& experiment, const std::string& documentation, SignalPlan& plan);

// Reports a motion with so many knots that the values of its signals would not fit into memory.
void require_few_knots(Configuration& experiment, int count);

}  // namespace holo
