#pragma once
// A signal as an experiment defines it: where its values come from, and what is changed of them. Reading keeps definitions with
// their places in the file; building computes the values.

#include <functional>
#include <string>
#include <vector>

#include "holo/core/error.h"
#include "holo/sim/motion/formula.h"
#include "holo/sim/motion/signal.h"
#include "runs/at_place.h"

namespace holo {

// What a signal's values are: a point [m], three components; an orientation (w, x, y, z), four; a number, one.
enum class SignalQuantity { position, orientation, number };

int component_count(SignalQuantity quantity);

// The knots of a motion, and what formulas may use besides the time.
struct SampleTimes {
  int count = 2;
  double time_step = 0;  // [s]
  std::vector<FormulaVariable> variables = {};
};

// The values at the knots. Throws Error(input), with the place in the file.
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

// The signal after all edits, each of the result of the one before. Throws Error(input) at the edit that cannot be made.
MotionSignal edited(MotionSignal signal, const std::vector<SignalEdit>& edits);

}  // namespace holo
