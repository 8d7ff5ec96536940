#pragma once
// The strides of a motion: how far a part that carries the character is put down from where it stood before.

#include <vector>

#include "holo/sim/articulated/trajectory/trajectory_model.h"

namespace holo {

struct Strides {
  std::vector<double> lengths;  // horizontal, of all parts [m]
  double mean() const;          // [m]; NaN without strides
  double spread() const;        // standard deviation over the mean; NaN for fewer than two
};

// A stance of a part is a time in which it carries at least a hundredth of the weight, at the mean place of its contacts,
// weighted with their normal forces. Pauses of up to two time steps are no end of it, and shorter ones than two steps are no
// stance. Strides from the stances at the start are left out, since the character begins to move there.
Strides measure_strides(const articulated::TrajectoryModel& model, const articulated::TrajectoryStates& states);

}  // namespace holo
