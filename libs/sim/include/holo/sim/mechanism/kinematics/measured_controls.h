#pragma once
// The controls that the poses of a mechanism's bodies correspond to.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

// Unwrapped and sign-continuous in time but where a task of the motion begins (motion_tasks.h): [control_count][knot] of
// `driven`, in its units. The states [.][knot] may belong to another layout of the same bodies where `driven` has no coupled
// joints; the controls of these are their coordinates, which are states. Throws Error(input) for a joint whose type cannot tell
// its coordinates.
Eigen::MatrixXd measured_controls(const MechanismLayout& driven, const Eigen::MatrixXd& states,
                                  const Eigen::VectorXd& parameters, const std::vector<int>& task_beginnings = {});

// The coordinates of chosen joints, numbers ascending, whoever drives them: [coordinate][knot], in the joints' order, in SI
// units, continuous in the same way. `states` [.][knot] begin with the poses of the model's bodies, in units of its length.
// Throws as above.
Eigen::MatrixXd measured_coordinates(const MechanismModel& model, const std::vector<int>& joints, const Eigen::MatrixXd& states,
                                     const std::vector<int>& task_beginnings = {});

}  // namespace holo
