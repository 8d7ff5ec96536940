#include "mechanism/constraints/equation_solver.h"

#include <cmath>

namespace holo {

// A square Jacobian is solved by LU; more equations than states, and damping, by the normal equations, whose solution is that
// of least squares.
EquationSolver::EquationSolver(const Sparse& pattern) : jacobian_(pattern) {
  if (is_square())
    lu_.analyzePattern(jacobian_);
  else
    normal_.analyzePattern(Sparse(jacobian_.transpose() * jacobian_));
}

bool EquationSolver::factorize(double damping) {
  is_damped_ = damping > 0;
  if (is_square() && !is_damped_) {
    lu_.factorize(jacobian_);
    return lu_.info() == Eigen::Success;
  }
  Sparse matrix = jacobian_.transpose() * jacobian_;
  for (int k = 0; is_damped_ && k < matrix.cols(); ++k) matrix.coeffRef(k, k) += damping;
  if (is_damped_)
    normal_.compute(matrix);  // its pattern may be another
  else
    normal_.factorize(matrix);
  return normal_.info() == Eigen::Success;
}

const Eigen::VectorXd& EquationSolver::solve(const Eigen::Ref<const Eigen::VectorXd>& right) {
  if (is_square() && !is_damped_) {
    solution_ = lu_.solve(right);
  } else {
    right_ = jacobian_.transpose() * right;
    solution_ = normal_.solve(right_);
  }
  return solution_;
}

PoseComparison::PoseComparison(const EquationSolver::Sparse& pattern) : vector_(pattern.cols()), change_(pattern.rows()) {}

// Two poses are connected without a singular pose between them if J(to) is near J(from): the spectral radius of J(from)^-1
// (J(from) - J(to)), estimated by power iteration, is well below 1. A second criterion is the sign of the determinants.
bool PoseComparison::is_regular_between(EquationSolver& from, EquationSolver& to) {
  constexpr double largest_radius = 0.5;
  constexpr int iterations = 4;
  for (Eigen::Index i = 0; i < vector_.size(); ++i) vector_[i] = 1 + 0.5 * std::sin(1.0 + double(i));
  double length = vector_.norm();
  radius_ = 0;
  for (int i = 0; i < iterations; ++i) {
    vector_ /= length;
    change_ = from.jacobian() * vector_;
    change_ -= to.jacobian() * vector_;
    vector_ = from.solve(change_);
    length = vector_.norm();
    if (!(length < 1e100)) return false;                   // not a number, too
    if (length < 1e-12) break;                             // the two are the same
    radius_ = i < 2 ? length : std::max(radius_, length);  // the first ones are still mixed
  }
  return radius_ <= largest_radius && has_same_orientation(from, to);
}

bool PoseComparison::has_same_orientation(EquationSolver& from, EquationSolver& to) {
  // With more equations than states, the sign is that of det(J(from)^T J(to)), which is positive near J(from).
  if (from.is_square()) return from.sign_of_determinant() * to.sign_of_determinant() > 0;
  const EquationSolver::Sparse mixed = from.jacobian().transpose() * to.jacobian();
  if (!is_analyzed_) mixed_.analyzePattern(mixed);
  is_analyzed_ = true;
  mixed_.factorize(mixed);
  return mixed_.info() == Eigen::Success && mixed_.signDeterminant() > 0;
}

}  // namespace holo
