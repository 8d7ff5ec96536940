#pragma once
// The minimizer of a strictly convex quadratic function under bounds of linear functions, by the dual active-set method of
// [Goldfarb1983]: for a few dozen unknowns and bounds.

#include <Eigen/Core>

namespace holo {

// lower <= normals x <= upper, infinite where there is none. A normal of length 0 states a condition that no x changes.
struct LinearBounds {
  Eigen::MatrixXd normals;  // [bound][unknown]
  Eigen::VectorXd lower, upper;
};

// On entry x is the minimizer of a function with the Hessian L L^T; on return that under the bounds. `cholesky` holds L in its
// lower triangle. `multipliers` [bound] are those of the Lagrangian f + multipliers . (normals x): positive at upper bounds,
// negative at lower ones, 0 where no bound is active. A violation below 1e-13 counts as none: x then stays as it is, to the
// last bit. False where the bounds contradict each other.
bool minimize_within(const Eigen::MatrixXd& cholesky, const LinearBounds& bounds, Eigen::VectorXd& x,
                     Eigen::VectorXd& multipliers);

}  // namespace holo
