#pragma once
// The gates of the elements: over the yardstick, and against other libraries; with the cause of those that are missed.

#include "element_gates.h"
#include "modes.h"

namespace holo::benchmark {

// `rows` are those of one material and quantity.
void judge_element(const std::vector<Row>& rows, comparison::DerivativeKind quantity, Judgment judgment,
                   std::vector<Gate>& gates);

}  // namespace holo::benchmark
