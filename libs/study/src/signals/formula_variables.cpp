#include "signals/formula_variables.h"

namespace holo {

std::vector<std::string> names_in_formulas(const std::vector<VariableDefinition>& variables) {
  std::vector<std::string> names = {"t", "T", "dt"};
  for (const VariableDefinition& variable : variables) names.push_back(variable.name);
  return names;
}

// A variable with a problem is unknown to the formulas after it.
std::vector<VariableDefinition> read_variables(Configuration& parent) {
  std::vector<VariableDefinition> variables;
  for (const Configuration::Entry& entry : parent.entries("let",
                                                          "named formulas of the time t, the motion's duration T and the time "
                                                          "step dt [s]; later formulas may use the names")) {
    const std::vector<std::string> known = names_in_formulas(variables);
    try {
      require_variable_name(entry.name, known);
      const Formula parsed(entry.text, known);
      variables.push_back({entry.name, entry.text, entry.location});
    } catch (const Error& error) {
      parent.problem(entry.location, error.what());
    }
  }
  return variables;
}

void check_formulas(Configuration& entry, const char* key, const std::vector<std::string>& formulas,
                    const std::vector<std::string>& names, std::size_t problems_before) {
  if (entry.recording() || entry.problem_count() != problems_before) return;
  for (const std::string& formula : formulas) {
    try {
      const Formula parsed(formula, names);
    } catch (const Error& error) {
      return entry.problem(entry.location(key), error.what());
    }
  }
}

SampleTimes sample_times(const std::vector<VariableDefinition>& variables, int count, double time_step) {
  SampleTimes times{count, time_step};
  for (const VariableDefinition& variable : variables) {
    const MotionSignal signal = signal_of_formulas({variable.formula}, time_step, count, "1", times.variables, variable.where);
    times.variables.push_back({variable.name, signal.values.row(0)});
  }
  return times;
}

}  // namespace holo
