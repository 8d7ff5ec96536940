#pragma once
// All signals of an experiment, as definitions that one or several tasks share, and their values.

#include <string>
#include <vector>

#include "holo/sim/losses/signal_store.h"
#include "signals/formula_variables.h"
#include "signals/signal_definition.h"

namespace holo {

// One task's definition of a signal. Definitions of the same name in several tasks are one signal.
struct PlannedSignal {
  SignalDefinition definition;
  int number = 0;  // in the store
  std::size_t task = 0;
};

struct SignalPlan {
  explicit SignalPlan(int knot_count) : store(knot_count), variables(1) {}

  SignalStore store;                                       // names and constants; signals have no values yet
  std::vector<std::vector<VariableDefinition>> variables;  // [task], of its formulas
  std::vector<PlannedSignal> signals;

  void add_task(int knot_count);
  std::size_t last_task() const { return variables.size() - 1; }
  // Adds a signal of the last task. Throws Error(input) for a second one of the name in the task, and for another number of
  // components than in another task.
  void add(SignalDefinition definition);
};

struct ComputedSignals {
  SignalStore store;               // a copy of the plan's, with values
  std::vector<SampleTimes> knots;  // [task]
};

// Evaluates variables, sources and edits; signals that the study computes itself have no values yet. Throws Error(input),
// with the place in the file.
ComputedSignals compute_signals(const SignalPlan& plan, double time_step);

}  // namespace holo
