#pragma once
// A check of a problem's exact Hessian against differences of its exact gradient.

#include "holo/opt/dense/dense_minimizer.h"

namespace holo {

// The largest difference of the Hessian at x from differences of fourth order of the gradient, with steps of 1e-3, over the
// largest entry. NaN where a gradient or the Hessian is none. The last gradient is that at x.
double hessian_difference(DenseProblem& problem, const Eigen::VectorXd& x);

}  // namespace holo
