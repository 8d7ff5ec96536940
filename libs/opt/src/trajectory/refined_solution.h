#pragma once
// Iterative refinement of the solution of a linear system to a small backward error.

#include <Eigen/Core>
#include <cmath>

namespace holo {

// x, a solution K x = b up to rounding, refined to the backward error 1e-14 in at most five steps. `norm` is that of K in the
// largest norm, subtract(x, r) computes r -= K x, and solve(r, d) d = K^-1 r. False where the backward error exceeds 1e-9.
template <class Subtract, class Solve>
bool refine_solution(const Eigen::Ref<const Eigen::VectorXd>& b, double norm, const Subtract& subtract, const Solve& solve,
                     Eigen::VectorXd& x, Eigen::VectorXd& residual, Eigen::VectorXd& correction) {
  constexpr double target_error = 1e-14, largest_error = 1e-9;
  constexpr int most_steps = 5;
  for (int step = 0;; ++step) {
    residual = b;
    subtract(x, residual);
    const double size = norm * x.lpNorm<Eigen::Infinity>() + b.lpNorm<Eigen::Infinity>();
    const double error = residual.lpNorm<Eigen::Infinity>();
    if (error <= target_error * size) return true;
    if (!std::isfinite(error) || !std::isfinite(size)) return false;
    if (step == most_steps) return error <= largest_error * size;
    solve(residual, correction);
    x += correction;
  }
}

// The same for all columns of b, from solve(b); x is undefined where it returns false.
template <class Subtract, class Solve>
bool solve_columns(const Eigen::Ref<const Eigen::MatrixXd>& b, double norm, const Subtract& subtract, const Solve& solve,
                   Eigen::Ref<Eigen::MatrixXd> x, Eigen::VectorXd& solution, Eigen::VectorXd& residual,
                   Eigen::VectorXd& correction) {
  for (Eigen::Index column = 0; column < b.cols(); ++column) {
    residual = b.col(column);
    solve(residual, solution);
    if (!refine_solution(b.col(column), norm, subtract, solve, solution, residual, correction)) return false;
    x.col(column) = solution;
  }
  return true;
}

}  // namespace holo
