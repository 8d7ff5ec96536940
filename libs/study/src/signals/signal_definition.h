#pragma once
// Definition of a signal in an experiment: the source of its values, and edits of them. Reading keeps definitions with their
// locations in the file; building computes the values.

#include <functional>
#include <string>
#include <vector>

#include "holo/core/error.h"
#include "holo/sim/motion/formula.h"
#include "holo/sim/motion/signal.h"
#include "runs/at_place.h"

namespace holo {

// Quantity of a signal: a position [m] has three components, an orientation (w, x, y, z) four, a number one.
enum class SignalQuantity { position, orientation, number };

int component_count(SignalQuantity quantity);

// The knots of a motion, and the variables that formulas may use besides the time.
struct SampleTimes {
  int count = 2;
  double time_step = 0;  // [s]
  std::vector<FormulaVariable> variables = {};
};

// Computes the values at the knots. Throws Error(input), with the location in the file.
using SignalComputation = std::function<MotionSignal(const SampleTimes&)>;

struct SignalEdit {
  Location where;
  std::function<MotionSignal(const MotionSignal&)> apply;
};

struct SignalDefinition {
  std::string name;
  Location where;  // of the name
  SignalQuantity quantity = SignalQuantity::position;
  SignalComputation compute;  // null: the study computes the values, from a source of its own
  std::vector<SignalEdit> edits;
};

// The signal after all edits, each applied to the result of the one before. Throws Error(input) for an edit that cannot be
// applied.
MotionSignal edited(MotionSignal signal, const std::vector<SignalEdit>& edits);

}  // namespace holo
