#pragma once
// The mobility of mechanisms with driven joints that have no equations of their own for passivity (those of one motion alone).

#include <vector>

#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

// Whether an actuator's type gives nothing but its motion, so that all six equations contain the controls.
bool has_actuators_of_motion_alone(const MechanismModel& model);

// Degrees of freedom of the mechanism with its actuators passive, where the coordinates of such actuators become unknowns
// beside the states: over the poses, the least. All equations are in the layout.
int mobility_with_own_joints(const ConstraintEquations& equations, const MechanismUnknowns& poses, double rank_tolerance);

}  // namespace holo
