#include "signals/signal_reader.h"

#include "signals/signal_edits.h"
#include "signals/signal_sources.h"

namespace holo {

std::vector<SignalSource> common_signal_sources(const std::vector<std::string>& names) {
  return {{"formula", "formulas of the time",
           [names](Configuration& p, SignalQuantity& quantity) { return read_formula_signal(p, names, quantity); }},
          {"spline", "spline through keys", read_spline_signal},
          {"bvh", "motion capture", read_captured_signal}};
}

void read_signals(Configuration& parent, const std::vector<SignalSource>& sources, const std::string& documentation,
                  const std::function<void(SignalDefinition)>& take) {
  const auto read_signal = [&](Configuration& entry) {
    SignalDefinition signal;
    signal.name = entry.text("name", {.documentation = "name by which losses, handles and controls refer to the signal"});
    signal.where = entry.location("name");
    std::vector<Configuration::Branch> branches;
    branches.reserve(sources.size());
    for (const SignalSource& source : sources)
      branches.push_back(
          {source.name, source.documentation, [&](Configuration& p) { signal.compute = source.read(p, signal.quantity); }});
    entry.branch("type", branches, sources.front().name, "source of the signal");
    signal.edits = read_edits(entry, signal.quantity);
    if (!entry.recording()) take(std::move(signal));
  };
  parent.each("signals", read_signal, documentation);
}

}  // namespace holo
