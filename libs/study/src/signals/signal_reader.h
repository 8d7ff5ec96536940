#pragma once
// Reader of the section `signals:` of an experiment: values over its knots or time steps, to which losses, handles and controls
// refer by name.
//
//   signals:
//     - {name: push, type: formula, quantity: position, formulas: ["0.1*sin(2*pi*t)", "0", "0"]}
//     - {name: late, type: formula, quantity: number, formula: "step(t - 1)"}

#include <functional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "signals/signal_definition.h"

namespace holo {

// A source of signals, which is a value of `type`. A study may add its own sources to the common ones.
struct SignalSource {
  std::string name, documentation;
  // Reads the other keys of the type, and sets the quantity that they give.
  std::function<SignalComputation(Configuration& entry, SignalQuantity& quantity)> read;
};

// The common sources: formulas, which may use `names`, splines and motion capture.
std::vector<SignalSource> common_signal_sources(const std::vector<std::string>& names);

// Calls `take` for each entry, even one with problems, which are reported through the configuration file; not while a schema is
// recorded. The first source is the default.
void read_signals(Configuration& parent, const std::vector<SignalSource>& sources, const std::string& documentation,
                  const std::function<void(SignalDefinition)>& take);

}  // namespace holo
