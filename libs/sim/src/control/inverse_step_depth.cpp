// The last digits of a step at which derivatives are taken, and the factor of its exact Hessian.

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/sim/control/inverse_step.h"

namespace holo {
namespace {

constexpr int most_deep_iterations = 12, most_approaches = 6;
constexpr double slow_approach = 0.1;      // an approach ends where a step is not shorter than this part of the one before
constexpr double longest_approach = 1e-5;  // of steps with an old factor, over the scene's length
constexpr double deep_stagnation = 0.5;    // a Newton step that is not shorter than this part of the one before is rounding

}  // namespace

// The exact Hessian at x and its factor. Where it is not positive definite, x is no strict minimum; derivatives exist all the
// same while it is regular.
bool InverseStep::factorize(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  potential_.derivatives(x, Curvature::exact, gradient, hessian_);
  for (SparseSolver* solver : {definite_.get(), indefinite_.get()}) {
    if (!solver->has_pattern_of(hessian_)) solver->analyze(hessian_);
    ++counts_.factorizations;
    solver_ = solver;
    if (solver->factorize(hessian_)) return true;
    if (solver == definite_.get()) ++counts_.indefinite_points;
  }
  return false;
}

// Newton steps with the factor of the Hessian one step before, which the forward solve left: each costs a gradient and a
// back-substitution. They converge linearly, and fast where the last step was small; where they do not, x stays at the best.
// The size of the last one.
double InverseStep::approach(Eigen::VectorXd& x) {
  const SparseSolver& factor = integrator_.workspace().factorization();
  double last = std::numeric_limits<double>::infinity();
  if (factor.outcome() != SparseSolver::Outcome::factorized) return last;
  Eigen::VectorXd gradient, step(x.size());
  for (int iteration = 0; iteration < most_approaches && last > options_.deep_tolerance; ++iteration) {
    potential_.gradient(x, gradient);
    factor.solve(gradient, step);
    ++counts_.back_substitutions;
    const double size = potential_.step_size(step);
    if (!(size < std::min(slow_approach * last, longest_approach))) break;
    x -= potential_.feasible_step(x, -step) * step;
    last = size;
  }
  return last;
}

// Unprojected Newton steps until they are rounding, then the factor at the point where they end.
bool InverseStep::converge_deeply(Eigen::VectorXd& x) {
  Eigen::VectorXd gradient, step(x.size());
  double last = approach(x);
  if (last > options_.deep_tolerance) last = std::numeric_limits<double>::infinity();  // no measure for steps with a new factor
  for (int iteration = 0; iteration < most_deep_iterations; ++iteration) {
    if (!factorize(x, gradient)) return false;
    if (last <= options_.deep_tolerance) return true;
    solver_->solve(gradient, step);
    ++counts_.back_substitutions;
    const double size = potential_.step_size(step);
    if (!std::isfinite(size)) return false;
    if (size >= deep_stagnation * last) return last <= options_.forward.tolerance;
    x -= potential_.feasible_step(x, -step) * step;
    last = size;
  }
  return last <= options_.forward.tolerance;
}

}  // namespace holo
