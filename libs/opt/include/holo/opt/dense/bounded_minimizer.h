#pragma once
// The minimizer of a strictly convex quadratic function under bounds of linear functions, by the dual active-set method of
// [Goldfarb1983]: for a few dozen unknowns and bounds.

#include <Eigen/Core>

namespace holo {

// Bounds lower <= normals x <= upper; infinite entries are no bound. A normal of length 0 is a condition that does not depend
// on x.
struct LinearBounds {
  Eigen::MatrixXd normals;  // [bound][unknown]
  Eigen::VectorXd lower, upper;
};

// On entry x is the minimizer of a function with the Hessian L L^T; on return that under the bounds. `cholesky` holds L in its
// lower triangle. `multipliers` [bound] are those of the Lagrangian f + multipliers . (normals x): positive at upper bounds,
// negative at lower ones, 0 at inactive ones. Violations below 1e-13 are ignored, so that x does not change by a bit. False if
// the bounds contradict each other.
bool minimize_within(const Eigen::MatrixXd& cholesky, const LinearBounds& bounds, Eigen::VectorXd& x,
                     Eigen::VectorXd& multipliers);

}  // namespace holo
