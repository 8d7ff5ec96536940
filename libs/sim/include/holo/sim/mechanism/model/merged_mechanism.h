#pragma once
// A mechanism that is built as its design says: configurable joints become parts of the bodies that they tie together.

#include <Eigen/Core>
#include <memory>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

// Bodies tied by configurable joints become one, called NAME_group after the first of them; its rest is its pose with the
// design `design` (SI, as a layout numbers design parameters) and all controls at rest. Bodies of the old mechanism are parts
// of the new one, under their old names. Controls keep their names and zeros. Throws Error(input) where the mechanism cannot be
// put together so, or a configurable joint ties a body to the world.
MechanismModel merged(const std::shared_ptr<const MechanismModel>& model, const Eigen::VectorXd& design);

}  // namespace holo
