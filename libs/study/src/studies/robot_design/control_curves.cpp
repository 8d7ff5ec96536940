#include "studies/robot_design/control_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "holo/core/name_list.h"

namespace holo {

namespace {

void read_swing(Configuration& entry, ControlCurve& curve) {
  const auto number = [&](const char* key, const char* unit, double standard, const char* documentation) {
    return entry.number(key, {.unit = unit, .default_value = standard, .documentation = documentation});
  };
  curve.from = number("from", "rad or m", 0, "value at the first knot, without the oscillation");
  curve.to = number("to", "rad or m", curve.from, "value at the last knot, without the oscillation");
  curve.amplitude = number("amplitude", "rad or m", 0, "amplitude of an oscillation that is added");
  curve.period = entry.number("period", {.unit = "s", .minimum = 0, .minimum_excluded = true, .default_value = 1.0});
  curve.phase = number("phase", "rad", 0, "phase of the oscillation's sine at t = 0");
}

}  // namespace

void read_control(Configuration& entry, const MechanismLayout* layout, const std::vector<std::string>& names,
                  std::vector<ControlCurve>& curves) {
  const std::vector<std::string> controls = layout != nullptr ? layout->control_names() : std::vector<std::string>{};
  ControlCurve curve;
  const std::string name = entry.text("control", {.choices = controls, .documentation = "control of an actuator"});
  curve.control = int(std::find(controls.begin(), controls.end(), name) - controls.begin());
  const bool has_formula = entry.has("formula"), has_signal = entry.has("signal") && (!has_formula || entry.recording());
  if (has_formula) {
    const std::size_t problems = entry.problem_count();
    curve.formula = entry.text(
        "formula",
        {.documentation =
             "value in rad or m, in place of the other keys: a formula of the time t and the motion's duration T [s]"});
    curve.where = entry.location("formula");
    check_formulas(entry, "formula", {curve.formula}, names, problems);
  }
  if (has_signal) {
    curve.signal = entry.text(
        "signal", {.documentation = "value in rad or m, in place of the other keys: name of a signal of one number"});
    curve.where = entry.location("signal");
  }
  if (entry.recording() || (!has_formula && !has_signal)) read_swing(entry, curve);
  if (curve.control < int(controls.size())) curves.push_back(curve);
}

void find_signals(Configuration& parent, const SignalPlan& signals, std::vector<ControlCurve>& curves) {
  for (ControlCurve& curve : curves) {
    if (curve.signal.empty()) continue;
    std::vector<std::string> there;
    for (const PlannedSignal& each : signals.signals)
      if (each.task == signals.last_task()) there.push_back(each.definition.name);
    const auto found = std::find_if(signals.signals.begin(), signals.signals.end(), [&](const PlannedSignal& each) {
      return each.task == signals.last_task() && each.definition.name == curve.signal;
    });
    if (found == signals.signals.end())
      parent.problem(curve.where, fmt::format("no signal '{}'.{} There are: {}", curve.signal, suggestion(curve.signal, there),
                                              joined_or_none(there)));
    else if (const int count = component_count(found->definition.quantity); count != 1)
      parent.problem(curve.where, fmt::format("the signal '{}' has {} numbers; 1 is needed", curve.signal, count));
    else
      curve.signal_number = found->number;
  }
}

Eigen::MatrixXd values_of(const std::vector<ControlCurve>& curves, const MechanismLayout& layout,
                          const ComputedSignals& signals, std::size_t task) {
  const SampleTimes& knots = signals.knots[task];
  const MotionTask& at = signals.store.tasks()[task];
  Eigen::MatrixXd result = layout.rest_controls().replicate(1, knots.count);
  for (const ControlCurve& curve : curves) {
    if (!curve.formula.empty()) {
      result.row(curve.control) =
          signal_of_formulas({curve.formula}, knots.time_step, knots.count, "rad or m", knots.variables, curve.where)
              .values.row(0);
    } else if (!curve.signal.empty()) {
      result.row(curve.control) = signals.store.values()[std::size_t(curve.signal_number)].middleCols(at.first, at.count);
    } else {
      for (int k = 0; k < knots.count; ++k) {
        const double t = knots.time_step * k, part = double(k) / (knots.count - 1);
        result(curve.control, k) = curve.from + part * (curve.to - curve.from) +
                                   curve.amplitude * std::sin(2 * std::numbers::pi * t / curve.period + curve.phase);
      }
    }
  }
  return result;
}

}  // namespace holo
