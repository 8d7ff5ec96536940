#pragma once
// Motions of a mechanism's controls, read from an experiment.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"
#include "signals/signal_plan.h"

namespace holo {

// A control over the time t: from + (to - from) t / duration + amplitude sin(2 pi t / period + phase), or a formula, or a
// signal of one number.
struct ControlCurve {
  int control = 0;
  double from = 0, to = 0, amplitude = 0, period = 1, phase = 0;
  std::string formula, signal;  // "": none
  Location where;               // of these
  int signal_number = 0;        // in the store
};

// Reads one entry of `controls`. A null layout stands for a robot with problems; nothing is appended then. `names` are those
// that formulas may use. Problems are reported through the configuration file.
void read_control(Configuration& entry, const MechanismLayout* layout, const std::vector<std::string>& names,
                  std::vector<ControlCurve>& curves);
// Finds the signals of the last task to which the curves refer. Problems are reported through the configuration file.
void find_signals(Configuration& parent, const SignalPlan& signals, std::vector<ControlCurve>& curves);

// Values of all controls, [control][knot of the task] in SI units. Controls without a curve have their value at rest. Throws
// Error(input), with the location, for a formula without a value.
Eigen::MatrixXd values_of(const std::vector<ControlCurve>& curves, const MechanismLayout& layout,
                          const ComputedSignals& signals, std::size_t task);

}  // namespace holo
