#pragma once
// Motions of a mechanism's controls, read from an experiment.

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

// Reads one entry of `controls` and appends it to `curves`. A null layout stands for a robot with problems; nothing is
// appended then. Problems are reported through the configuration file.
void read_control(Configuration& entry, const MechanismLayout* layout, const SampleTimes& knots,
                  std::vector<ControlCurve>& curves);

// Values of all controls, [control][knot] in SI units. Controls without a curve have their value at rest.
Eigen::MatrixXd values_of(const std::vector<ControlCurve>& curves, const MechanismLayout& layout, const SampleTimes& knots);

}  // namespace holo
