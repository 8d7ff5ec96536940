#include "holo/comparison/contact_gauss_seidel.h"

#include <algorithm>

namespace holo::comparison {

namespace {

constexpr int sweeps_between_checks = 10;  // a check costs as much as a sweep

// The force of row `row` for which its displacement would be 0, with all others as they are.
double balancing_force(const ContactProblem& problem, const Eigen::VectorXd& at_rest, const Eigen::VectorXd& f,
                       Eigen::Index row) {
  const double w = at_rest[row] + problem.by_forces.col(row).dot(f);  // symmetric
  return f[row] - w / problem.by_forces(row, row);
}

void sweep(const ContactProblem& problem, const Eigen::VectorXd& at_rest, Eigen::VectorXd& f) {
  for (Eigen::Index i = 0; i < problem.contacts(); ++i) {
    f[3 * i] = std::max(balancing_force(problem, at_rest, f, 3 * i), 0.0);
    const double limit = problem.friction[i] * f[3 * i];
    for (const Eigen::Index row : {3 * i + 1, 3 * i + 2})
      f[row] = std::clamp(balancing_force(problem, at_rest, f, row), -limit, limit);
  }
}

}  // namespace

GaussSeidelResult solve_contact_forces(const ContactProblem& problem, const Eigen::VectorXd& activations,
                                       const GaussSeidelOptions& options) {
  GaussSeidelResult result;
  result.forces.setZero(3 * problem.contacts());
  const Eigen::VectorXd at_rest = contact_displacements(problem, activations, result.forces);
  for (;; ++result.sweeps) {
    if (result.sweeps % sweeps_between_checks == 0 || result.sweeps == options.max_sweeps) {
      const Eigen::VectorXd w = at_rest + problem.by_forces * result.forces;
      result.residual = complementarity_residual(problem, result.forces, w);
      result.converged = result.residual <= options.tolerance;
      if (result.converged || result.sweeps >= options.max_sweeps) return result;
    }
    sweep(problem, at_rest, result.forces);
  }
}

}  // namespace holo::comparison
