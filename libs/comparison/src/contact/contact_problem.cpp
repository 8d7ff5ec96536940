#include "holo/comparison/contact_problem.h"

#include <algorithm>
#include <cmath>

namespace holo::comparison {

Eigen::VectorXd contact_displacements(const ContactProblem& problem, const Eigen::VectorXd& u, const Eigen::VectorXd& f) {
  return problem.free + problem.by_activations * u + problem.by_forces * f;
}

double contact_objective(const ContactProblem& problem, const Eigen::VectorXd& u, const Eigen::VectorXd& f) {
  Eigen::VectorXd z(u.size() + f.size());
  z << u, f;
  return problem.constant + problem.gradient.dot(z) + 0.5 * z.dot(problem.hessian * z);
}

double complementarity_residual(const ContactProblem& problem, const Eigen::VectorXd& f, const Eigen::VectorXd& w) {
  double largest = 0;
  for (Eigen::Index i = 0; i < problem.contacts(); ++i) {
    const double limit = std::max(problem.friction[i] * f[3 * i], 0.0);
    for (Eigen::Index row = 3 * i; row < 3 * i + 3; ++row) {
      const double flexibility = problem.by_forces(row, row), target = f[row] - w[row] / flexibility;
      const double allowed = row == 3 * i ? std::max(target, 0.0) : std::clamp(target, -limit, limit);
      largest = std::max(largest, flexibility * std::abs(f[row] - allowed));
    }
  }
  return largest;
}

}  // namespace holo::comparison
