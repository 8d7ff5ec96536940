#pragma once
// The section `signals:` of an experiment: values over its knots or time steps, which losses, handles and controls call by
// name.
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

// A value of `type`. A study may add sources of its own to the common ones.
struct SignalSource {
  std::string name, documentation;
  // Reads the keys beside `type`, and says which quantity they give.
  std::function<SignalComputation(Configuration& entry, SignalQuantity& quantity)> read;
};

// Formulas, which may use `names`, splines and motion capture.
std::vector<SignalSource> common_signal_sources(const std::vector<std::string>& names);

// Calls `take` for each entry, even one with problems, which are reported through the configuration file; not while a schema is
// recorded. The first source is the default.
void read_signals(Configuration& parent, const std::vector<SignalSource>& sources, const std::string& documentation,
                  const std::function<void(SignalDefinition)>& take);

}  // namespace holo
