#pragma once
// Edits of targets, in the order in which an experiment lists them.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/motion/signal.h"

namespace holo {

// What a target's signal is: a point [m], three components; an orientation (w, x, y, z), four; a number, one.
enum class TargetQuantity { position, orientation, number };

int component_count(TargetQuantity quantity);

struct TargetEdit {
  Location where;
  std::function<MotionSignal(const MotionSignal&)> apply;
};

// The list `edits` of a target; problems go to the file's account.
std::vector<TargetEdit> read_target_edits(Configuration& target, TargetQuantity quantity);

// An edit that cannot be made, and why.
struct TargetRefusal {
  Location where;
  std::string text;
};
// Makes all edits, or those before the one that is refused.
std::optional<TargetRefusal> make_edits(MotionSignal& signal, const std::vector<TargetEdit>& edits);

}  // namespace holo
