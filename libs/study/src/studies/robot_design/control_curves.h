#pragma once
// What an experiment says of how a mechanism's actuators move.

#include <Eigen/Core>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"
#include "signals/target_sources.h"

namespace holo {

// A control over the time t: from + (to - from) t / duration + amplitude sin(2 pi t / period + phase), or a formula's values.
struct ControlCurve {
  int control = 0;
  double from = 0, to = 0, amplitude = 0, period = 1, phase = 0;
  Eigen::VectorXd values;  // [knot]; empty: none
};

// One entry of `controls`, of the layout's; none, for a problem of the file, where that is null. Problems go to the file's
// account.
void read_control(Configuration& entry, const MechanismLayout* layout, const SampleTimes& knots,
                  std::vector<ControlCurve>& curves);

// [control][knot] SI; controls without a curve rest.
Eigen::MatrixXd values_of(const std::vector<ControlCurve>& curves, const MechanismLayout& layout, const SampleTimes& knots);

}  // namespace holo
