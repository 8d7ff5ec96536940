#pragma once
// Readers of the signals of targets: formulas, splines, motion capture. Each reads the keys of its `type`. It returns no signal
// after problems, which are reported through the configuration file, and while a schema is recorded.

#include <optional>
#include <string>

#include "holo/diff/rotations.h"
#include "holo/sim/motion/formula.h"
#include "signals/target_edits.h"

namespace holo {

// The knots of a motion, and the variables that formulas may use besides the time.
struct SampleTimes {
  int count = 2;
  double time_step = 0;  // [s]; 0: unknown, after a problem of the file
  std::vector<FormulaVariable> variables = {};
};

std::optional<MotionSignal> read_formula_target(Configuration& entry, const SampleTimes& samples, TargetQuantity& quantity);
std::optional<MotionSignal> read_spline_target(Configuration& entry, const SampleTimes& samples, TargetQuantity& quantity);
std::optional<MotionSignal> read_bvh_target(Configuration& entry, const SampleTimes& samples, TargetQuantity& quantity);

// Reads the key `quantity` and the other keys of the chosen one, and returns it.
struct QuantityBranch {
  TargetQuantity quantity;
  const char* documentation;
  std::function<void(Configuration&)> read;
};
TargetQuantity read_quantity(Configuration& entry, const std::vector<QuantityBranch>& branches);

// The list `keys`: increasing times with values.
struct TargetKeys {
  Eigen::VectorXd times;       // [key] [s]
  Eigen::MatrixXd values;      // [component][key]
  Eigen::MatrixXd velocities;  // [component][key] per second, if they are read
};
TargetKeys read_keys(Configuration& entry, const std::string& value_name, TargetQuantity quantity, bool with_velocities);

Eigen::Vector3d vector_of(const std::array<double, 3>& values);
// Reads a rotation as axis times angle [rad]; the default is no rotation.
Quaternion<double> read_rotation(Configuration& entry, const char* key, const std::string& documentation);

// The result of `compute`, whose errors become problems at the key. No result without known knots or after problems of the
// entry.
template <class Compute>
std::optional<MotionSignal> computed(Configuration& entry, const char* key, const SampleTimes& samples,
                                     std::size_t problems_before, const Compute& compute) {
  if (entry.recording() || samples.time_step <= 0 || entry.problem_count() != problems_before) return {};
  try {
    return compute();
  } catch (const Error& error) {
    entry.problem(entry.location(key), error.what());
    return {};
  }
}

}  // namespace holo
