#pragma once
// The effort that residuals of a trajectory's steps are as controls, and the equations of motion tested with its basis.

#include "holo/sim/articulated/trajectory/trajectory_problem.h"

namespace holo::articulated {

// w' sum over i of |u_i|^2, u_i = U r_i. Residuals are [dof][step - 1].
double effort_of(const TrajectoryModel& model, const Eigen::MatrixXd& residuals);

// C = (S^T (x) U_j) r: column after column, the unactuated degrees of freedom of each.
void test_residuals(const TrajectoryModel& model, const TrajectoryBasis& basis, const Eigen::MatrixXd& residuals,
                    Eigen::VectorXd& constraints);

// The violations and the place of the largest one. A violation that is not a number is the largest.
void measure_violation(const TrajectoryModel& model, const TrajectoryBasis& basis, const Eigen::MatrixXd& residuals,
                       TrajectoryValues& values);

}  // namespace holo::articulated
