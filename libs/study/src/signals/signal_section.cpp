#include "signals/signal_section.h"

#include <fmt/format.h>

#include "signals/signal_reader.h"

namespace holo {

void read_signal_section(Configuration& experiment, const std::string& documentation, SignalPlan& plan) {
  plan.variables.back() = read_variables(experiment);
  const auto take = [&](SignalDefinition signal) {
    const Location where = signal.where;
    try {
      plan.add(std::move(signal));
    } catch (const Error& error) {
      experiment.problem(where, error.what());
    }
  };
  read_signals(experiment, common_signal_sources(names_in_formulas(plan.variables.back())), documentation, take);
}

void require_few_knots(Configuration& experiment, int count) {
  constexpr int most_knots = 10'000'000;  // a signal of three numbers then takes 240 MB
  for (const char* key : {"signals", "let"})
    if (experiment.has(key) && !experiment.recording() && count > most_knots)
      experiment.problem(
          experiment.location(key),
          fmt::format("a signal has a value for each of the {} time steps; at most {} are allowed here", count, most_knots));
}

}  // namespace holo
