#pragma once
// Edits of targets: reading and applying them in the order of the experiment.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/motion/signal.h"

namespace holo {

// Kind of a target's signal: a position [m] has three components, an orientation (w, x, y, z) four, a number one.
enum class TargetQuantity { position, orientation, number };

int component_count(TargetQuantity quantity);

struct TargetEdit {
  Location where;
  std::function<MotionSignal(const MotionSignal&)> apply;
};

// Reads the list `edits` of a target. Problems are reported through the configuration file.
std::vector<TargetEdit> read_target_edits(Configuration& target, TargetQuantity quantity);

// An edit that cannot be applied, and the reason.
struct TargetRefusal {
  Location where;
  std::string text;
};
// Applies all edits to the signal. Stops at the first that cannot be applied and returns it.
std::optional<TargetRefusal> make_edits(MotionSignal& signal, const std::vector<TargetEdit>& edits);

}  // namespace holo
