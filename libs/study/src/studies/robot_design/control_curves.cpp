#include "studies/robot_design/control_curves.h"

#include <algorithm>
#include <cmath>
#include <numbers>

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

void read_control(Configuration& entry, const MechanismLayout* layout, const SampleTimes& knots,
                  std::vector<ControlCurve>& curves) {
  const std::vector<std::string> names = layout != nullptr ? layout->control_names() : std::vector<std::string>{};
  ControlCurve curve;
  const std::string name = entry.text("control", {.choices = names, .documentation = "control of an actuator"});
  curve.control = int(std::find(names.begin(), names.end(), name) - names.begin());
  if (entry.has("formula")) {
    const std::size_t problems = entry.problem_count();
    const std::string formula = entry.text(
        "formula",
        {.documentation =
             "value in rad or m, in place of the other keys: a formula of the time t and the motion's duration T [s]"});
    const auto signal = computed(entry, "formula", knots, problems, [&] {
      return signal_of_formulas({formula}, knots.time_step, knots.count, "rad or m", knots.variables);
    });
    if (signal) curve.values = signal->values.row(0).transpose();
  }
  if (entry.recording() || !entry.has("formula")) read_swing(entry, curve);
  if (curve.control < int(names.size())) curves.push_back(curve);
}

Eigen::MatrixXd values_of(const std::vector<ControlCurve>& curves, const MechanismLayout& layout, const SampleTimes& knots) {
  Eigen::MatrixXd result = layout.rest_controls().replicate(1, knots.count);
  for (const ControlCurve& curve : curves) {
    if (curve.values.size() > 0) result.row(curve.control) = curve.values.transpose();
    for (int k = 0; k < knots.count && curve.values.size() == 0; ++k) {
      const double t = knots.time_step * k, part = double(k) / (knots.count - 1);
      result(curve.control, k) = curve.from + part * (curve.to - curve.from) +
                                 curve.amplitude * std::sin(2 * std::numbers::pi * t / curve.period + curve.phase);
    }
  }
  return result;
}

}  // namespace holo
