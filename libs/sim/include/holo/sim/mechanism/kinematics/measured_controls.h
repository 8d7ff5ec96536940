#pragma once
// Controls and joint coordinates that belong to given poses of a mechanism's bodies.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

// The controls of the layout `driven` at given states: [control_count][knot], in its units, unwrapped and with continuous signs
// in time within each task (motion_tasks.h). `states` [state_count][knot] may belong to another layout of the same bodies if
// `driven` has no coupled joints; the controls of coupled joints are their coordinates, which are states. Throws Error(input)
// for a joint whose plugin lacks coordinates_of().
Eigen::MatrixXd measured_controls(const MechanismLayout& driven, const Eigen::MatrixXd& states,
                                  const Eigen::VectorXd& parameters, const std::vector<int>& task_beginnings = {});

// The coordinates of chosen joints of any role, by ascending numbers: [coordinate][knot], in the joints' order, in SI units,
// continuous in the same way. The rows of `states` begin with the poses of the model's bodies, in the layout's units. Throws as
// measured_controls().
Eigen::MatrixXd measured_coordinates(const MechanismModel& model, const std::vector<int>& joints, const Eigen::MatrixXd& states,
                                     const std::vector<int>& task_beginnings = {});

}  // namespace holo
