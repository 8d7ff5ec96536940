#pragma once
// The section `signals:` of an experiment: values over its time steps, which losses and handles call by name.
//
//   signals:
//     - {name: push, type: formula, quantity: position, formulas: ["0.1*sin(2*pi*t)", "0", "0"]}
//     - {name: late, type: formula, quantity: number, formula: "step(t - 1)"}

#include "holo/sim/losses/signal_store.h"
#include "signals/target_sources.h"

namespace holo {

// Problems go to the file's account. `store` is null where the time steps are not known, after problems of the file.
void read_signals(Configuration& experiment, const SampleTimes& knots, SignalStore* store);

}  // namespace holo
