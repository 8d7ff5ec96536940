#pragma once
// The equations of motion of a trajectory tested with its basis, and how much they are violated.

#include "holo/sim/articulated/trajectory/trajectory_problem.h"

namespace holo::articulated {

// C = (S^T (x) U_j) r: column after column, the unactuated degrees of freedom of each. Residuals are [dof][step - 1].
void test_residuals(const TrajectoryModel& model, const TrajectoryBasis& basis, const Eigen::MatrixXd& residuals,
                    Eigen::VectorXd& constraints);

// The violations and the place of the largest one. A violation that is not a number is the largest.
void measure_violation(const TrajectoryModel& model, const TrajectoryBasis& basis, const Eigen::MatrixXd& residuals,
                       TrajectoryValues& values);

}  // namespace holo::articulated
