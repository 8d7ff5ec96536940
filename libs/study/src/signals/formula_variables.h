#pragma once
// Formulas of an experiment and the mapping `let`, which names formulas for use in later ones:
//
//   let: {s: 2*pi*t/T, swing: 0.5*sin(s)}

#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "signals/signal_definition.h"

namespace holo {

struct VariableDefinition {
  std::string name, formula;
  Location where;  // of the formula
};

// Reads the mapping `let` of `parent`; each formula may use those before it. Problems are reported through the configuration
// file.
std::vector<VariableDefinition> read_variables(Configuration& parent);
// The names that formulas may use besides the constants: t, T, dt and the variables.
std::vector<std::string> names_in_formulas(const std::vector<VariableDefinition>& variables);
// A formula that cannot be parsed becomes a problem at the key. Nothing is checked after other problems of the entry, since
// `problems_before` it was read: the formulas may be stand-ins then.
void check_formulas(Configuration& entry, const char* key, const std::vector<std::string>& formulas,
                    const std::vector<std::string>& names, std::size_t problems_before);

// The knots with the variables' values. Throws Error(input), with the place, for a value that is not finite.
SampleTimes sample_times(const std::vector<VariableDefinition>& variables, int count, double time_step);

}  // namespace holo
