#include "signals/signal_plan.h"

#include <fmt/format.h>

namespace holo {

void SignalPlan::add_task(int knot_count) {
  store.add_task(knot_count);
  variables.emplace_back();
}

void SignalPlan::add(SignalDefinition definition) {
  const std::size_t components = std::size_t(component_count(definition.quantity)), task = last_task();
  for (const SignalNames::Signal& signal : store.signals()) {
    if (signal.name != definition.name) continue;
    for (const PlannedSignal& other : signals)
      if (other.number == signal.number && other.task == task)
        throw Error(Failure::input, "there are two signals named '" + definition.name + "'");
    if (signal.component_count != components)
      throw Error(Failure::input, fmt::format("the signal '{}' has {} numbers, and {} in another task", definition.name,
                                              components, signal.component_count));
    signals.push_back({std::move(definition), signal.number, task});
    return;
  }
  const int number = store.add_signal(definition.name, components);
  signals.push_back({std::move(definition), number, task});
}

ComputedSignals compute_signals(const SignalPlan& plan, double time_step) {
  ComputedSignals computed{plan.store, {}};
  for (std::size_t i = 0; i < plan.variables.size(); ++i)
    computed.knots.push_back(sample_times(plan.variables[i], plan.store.tasks()[i].count, time_step));
  for (const PlannedSignal& signal : plan.signals) {
    if (!signal.definition.compute) continue;
    const MotionSignal values = edited(signal.definition.compute(computed.knots[signal.task]), signal.definition.edits);
    at_place(signal.definition.where, [&] { computed.store.set_signal(signal.number, values.values, signal.task); });
  }
  return computed;
}

}  // namespace holo
