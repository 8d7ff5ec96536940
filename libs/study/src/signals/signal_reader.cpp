#include "signals/signal_reader.h"

#include <fmt/format.h>

namespace holo {

namespace {

constexpr int most_knots = 10'000'000;  // a signal of three numbers then takes 240 MB

std::optional<MotionSignal> read_source(Configuration& entry, const SampleTimes& knots, TargetQuantity& quantity) {
  std::optional<MotionSignal> signal;
  entry.branch(
      "type",
      {{"formula", "formulas of the time", [&](Configuration& p) { signal = read_formula_target(p, knots, quantity); }},
       {"spline", "spline through keys", [&](Configuration& p) { signal = read_spline_target(p, knots, quantity); }},
       {"bvh", "motion capture", [&](Configuration& p) { signal = read_bvh_target(p, knots, quantity); }}},
      "formula", "source of the signal");
  return signal;
}

}  // namespace

void read_signals(Configuration& experiment, const SampleTimes& knots, SignalStore* store) {
  SampleTimes known = knots;
  if (experiment.has("signals") && knots.count > most_knots) {
    experiment.problem(experiment.location("signals"),
                       fmt::format("a signal has a value for each of the {} time steps; at most {} are allowed here",
                                   knots.count, most_knots));
    known.time_step = 0;
  }
  const auto read_signal = [&](Configuration& entry) {
    const std::string name = entry.text("name", {.documentation = "name by which losses and handles refer to the signal"});
    TargetQuantity quantity = TargetQuantity::position;
    std::optional<MotionSignal> signal = read_source(entry, known, quantity);
    const std::size_t problems = entry.problem_count();
    const std::vector<TargetEdit> edits = read_target_edits(entry, quantity);
    if (!signal || entry.recording() || store == nullptr || entry.problem_count() != problems) return;
    if (const auto refusal = make_edits(*signal, edits)) return entry.problem(refusal->where, refusal->text);
    try {
      store->add_signal(name, signal->values);
    } catch (const Error& error) {
      entry.problem(entry.location("name"), error.what());
    }
  };
  experiment.each("signals", read_signal, "values over time, to which losses and handles refer by name");
}

}  // namespace holo
