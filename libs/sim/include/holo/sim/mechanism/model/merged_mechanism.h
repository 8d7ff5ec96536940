#pragma once
// Merging of the bodies that configurable joints connect, at a given design.

#include <Eigen/Core>
#include <memory>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

// The mechanism in which bodies connected by configurable joints are one body, NAME_group after the first of them. Its rest is
// the pose at the design `design` (SI units, in the order of a layout's design parameters) with all controls at rest. The
// former bodies are merged bodies of the result, under their names. Controls keep their names and zeros. Throws Error(input) if
// the mechanism cannot be assembled at the design, or if a configurable joint connects a body with the world.
MechanismModel merged(const std::shared_ptr<const MechanismModel>& model, const Eigen::VectorXd& design);

}  // namespace holo
