#pragma once
// Where signals come from: formulas, splines, motion capture. Each reads its keys beside `type` and returns how the values are
// computed; problems are reported through the configuration file.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/diff/rotations.h"
#include "signals/signal_definition.h"

namespace holo {

// `names`: what formulas may use besides the constants.
SignalComputation read_formula_signal(Configuration& entry, const std::vector<std::string>& names, SignalQuantity& quantity);
SignalComputation read_spline_signal(Configuration& entry, SignalQuantity& quantity);
SignalComputation read_captured_signal(Configuration& entry, SignalQuantity& quantity);

// The key `quantity`: reads what the chosen one asks for, and says which it is.
struct QuantityBranch {
  SignalQuantity quantity;
  const char* documentation;
  std::function<void(Configuration&)> read;
};
SignalQuantity read_quantity(Configuration& entry, const std::vector<QuantityBranch>& branches);

// The list `keys`: times that increase, and what is there.
struct SignalKeys {
  Eigen::VectorXd times;       // [key] [s]
  Eigen::MatrixXd values;      // [component][key]
  Eigen::MatrixXd velocities;  // the same, per second, where they are asked for
};
SignalKeys read_keys(Configuration& entry, const std::string& value_name, SignalQuantity quantity, bool with_velocities);

Eigen::Vector3d vector_of(const std::array<double, 3>& values);
// Axis times angle [rad]; without it no rotation.
Quaternion<double> read_rotation(Configuration& entry, const char* key, const std::string& documentation);

}  // namespace holo
