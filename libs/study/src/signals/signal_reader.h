#pragma once
// Reader of the section `signals:` of an experiment: values over its time steps, to which losses and handles refer by name.
//
//   signals:
//     - {name: push, type: formula, quantity: position, formulas: ["0.1*sin(2*pi*t)", "0", "0"]}
//     - {name: late, type: formula, quantity: number, formula: "step(t - 1)"}

#include "holo/sim/losses/signal_store.h"
#include "signals/target_sources.h"

namespace holo {

// Reads all signals into `store`, which is null after problems of the file. Problems are reported through the configuration
// file.
void read_signals(Configuration& experiment, const SampleTimes& knots, SignalStore* store);

}  // namespace holo
