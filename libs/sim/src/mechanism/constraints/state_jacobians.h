#pragma once
// Jacobians of a mechanism's constraint equations in its states, and their smallest singular values.

#include <Eigen/SparseCore>
#include <vector>

#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

// dC/ds of the equations that the layout keeps, at each pose.
std::vector<Eigen::SparseMatrix<double>> state_jacobians(const ConstraintEquations& equations, const MechanismUnknowns& poses);

// The smallest singular value with each row scaled to length 1, accurate to 1e-9 of itself.
double smallest_singular_value(const Eigen::SparseMatrix<double>& jacobian);

}  // namespace holo
