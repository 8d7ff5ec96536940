#pragma once
// Where the signals of targets come from: formulas, splines, motion capture. Each reads its keys beside `type`; problems go to
// the file's account, and there is no signal then. Nothing is computed while a schema is recorded.

#include <optional>
#include <string>

#include "holo/diff/rotations.h"
#include "holo/sim/motion/formula.h"
#include "signals/target_edits.h"

namespace holo {

// The knots of an experiment's motion, and what formulas may use besides the time.
struct SampleTimes {
  int count = 2;
  double time_step = 0;  // [s]; 0: unknown, for a problem of the file
  std::vector<FormulaVariable> variables = {};
};

std::optional<MotionSignal> read_formula_target(Configuration& entry, const SampleTimes& samples, TargetQuantity& quantity);
std::optional<MotionSignal> read_spline_target(Configuration& entry, const SampleTimes& samples, TargetQuantity& quantity);
std::optional<MotionSignal> read_bvh_target(Configuration& entry, const SampleTimes& samples, TargetQuantity& quantity);

// The key `quantity`: reads what the chosen one asks for, and says which it is.
struct QuantityBranch {
  TargetQuantity quantity;
  const char* documentation;
  std::function<void(Configuration&)> read;
};
TargetQuantity read_quantity(Configuration& entry, const std::vector<QuantityBranch>& branches);

// The list `keys`: times that increase, and what is there.
struct TargetKeys {
  Eigen::VectorXd times;       // [key] [s]
  Eigen::MatrixXd values;      // [component][key]
  Eigen::MatrixXd velocities;  // the same, per second, where they are asked for
};
TargetKeys read_keys(Configuration& entry, const std::string& value_name, TargetQuantity quantity, bool with_velocities);

Eigen::Vector3d vector_of(const std::array<double, 3>& values);
// Axis times angle [rad]; without it no rotation.
Quaternion<double> read_rotation(Configuration& entry, const char* key, const std::string& documentation);

// What `compute` gives; a refusal becomes a problem at the key. None without known knots, or with problems of the entry.
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
