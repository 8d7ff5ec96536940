#pragma once
// Derivatives of a time step in its activations against differences of steps that are solved anew.

#include <gtest/gtest.h>

#include <stdexcept>

#include "holo/sim/control/inverse_step.h"
#include "term_checks.h"

namespace holo::test {

// At an x that is converged deeply.
inline double deep_value(InverseStep& problem, const Eigen::VectorXd& u) {
  if (!problem.finish(u)) throw std::runtime_error(problem.diagnosis());
  problem.loss().set_activations(problem.options().unit * u);
  return problem.loss().value(problem.x());
}

inline Eigen::VectorXd deep_gradient(InverseStep& problem, const Eigen::VectorXd& u) {
  Eigen::VectorXd gradient;
  problem.gradient(u, gradient);
  return gradient;
}

// Gradient and Hessian at u, along random directions, to 1e-8 of their sizes. `step` [in units of the unknowns] is where the
// truncation of the differences, O(step^6), and their rounding, O(1e-14/step), are below that.
inline void expect_derivatives_of_steps_solved_anew(InverseStep& problem, const Eigen::VectorXd& u, double step) {
  const Eigen::VectorXd gradient = deep_gradient(problem, u);
  Eigen::MatrixXd hessian;
  ASSERT_TRUE(problem.hessian(u, hessian));
  for (const std::size_t seed : {1, 2, 3}) {
    const Eigen::VectorXd d = random_columns(u.size(), 1, 100 + seed).normalized();
    const double slope = difference([&](double t) { return deep_value(problem, u + t * d); }, step);
    EXPECT_NEAR(gradient.dot(d), slope, 1e-8 * gradient.norm());
    const Eigen::VectorXd change = difference([&](double t) { return deep_gradient(problem, u + t * d); }, step);
    EXPECT_LT((hessian * d - change).norm(), 1e-8 * hessian.norm()) << "along " << seed;
  }
}

}  // namespace holo::test
