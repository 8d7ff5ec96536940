#pragma once
// Backtracking along a descent direction.

#include "holo/opt/newton.h"

namespace holo {

// Moves x along `direction` (of slope < 0) and updates its energy; false when no fraction of the step was good enough. Fills
// the log's step_length and energy_evaluations. The rule:
//
//   E(x + t p) <= E(x) + c1 t g.p        Armijo, when the predicted decrease -g.p of the full step can be seen in E;
//   E(x + t p) <= E(x) + resolution      when it cannot, being below a hundred times the rounding error of E.
//
// The second keeps Newton going to the last digit: there its step, solved from gradients that are accurate where differences of
// energies are not, is better than anything that the energy could tell ([HagerZhang2005] section 4, approximate Wolfe
// conditions). A step that raises the energy visibly is refused in either case.
bool line_search(NewtonProblem& problem, const NewtonOptions& options, double slope, Eigen::VectorXd& x,
                 const Eigen::VectorXd& direction, Eigen::VectorXd& trial, double& energy, NewtonIteration& log);

}  // namespace holo
