#pragma once
// Readers of the sources of signals: formulas, splines, motion capture. Each reads the keys of its `type` and returns the
// computation of the values; problems are reported through the configuration file.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/diff/rotations.h"
#include "signals/signal_definition.h"

namespace holo {

// `names`: names that formulas may use besides the constants.
SignalComputation read_formula_signal(Configuration& entry, const std::vector<std::string>& names, SignalQuantity& quantity);
SignalComputation read_spline_signal(Configuration& entry, SignalQuantity& quantity);
SignalComputation read_captured_signal(Configuration& entry, SignalQuantity& quantity);

// Reads the key `quantity` and the other keys of the chosen one, and returns it.
struct QuantityBranch {
  SignalQuantity quantity;
  const char* documentation;
  std::function<void(Configuration&)> read;
};
SignalQuantity read_quantity(Configuration& entry, const std::vector<QuantityBranch>& branches);

// The list `keys`: increasing times with values.
struct SignalKeys {
  Eigen::VectorXd times;       // [key] [s]
  Eigen::MatrixXd values;      // [component][key]
  Eigen::MatrixXd velocities;  // [component][key] per second, if they are read
};
SignalKeys read_keys(Configuration& entry, const std::string& value_name, SignalQuantity quantity, bool with_velocities);

Eigen::Vector3d vector_of(const std::array<double, 3>& values);
// Reads a rotation as axis times angle [rad]; the default is no rotation.
Quaternion<double> read_rotation(Configuration& entry, const char* key, const std::string& documentation);

}  // namespace holo
