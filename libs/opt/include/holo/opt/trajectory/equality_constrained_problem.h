#pragma once
// Minimization of an objective E(c) subject to constraints C(c) = 0, as solvers see it.

#include <Eigen/Core>
#include <string>

#include "holo/opt/trajectory/saddle_point_system.h"

namespace holo {

// n unknowns c, in units that make their changes comparable, and m <= n constraints C in units of their own. C may be
// incompatible, and its Jacobian A may lose rank; it has to be continuously differentiable, while the derivative of A may jump.
class EqualityConstrainedProblem {
 public:
  virtual ~EqualityConstrainedProblem() = default;
  virtual int unknown_count() const = 0;     // n
  virtual int constraint_count() const = 0;  // m

  // E at c [unknown], and C [constraint], which has its size. A number that is not finite marks a point outside the domain:
  // such a trial is refused.
  virtual double evaluate(const Eigen::VectorXd& point, Eigen::VectorXd& constraints) = 0;

  // The gradient b [unknown] of E at c; the model Hessian H and the Jacobian A are then those of `system`. H approximates the
  // Hessian of E, such as 2 J^T J of a sum of squares (Gauss-Newton), or that of the Lagrangian E + multipliers . C
  // [constraint], whose multipliers are the solver's estimates. H is positive semidefinite where the system factorizes without
  // pivoting.
  virtual void linearize(const Eigen::VectorXd& point, const Eigen::VectorXd& multipliers, Eigen::VectorXd& gradient) = 0;

  // H and A of the last linearization.
  virtual SaddlePointSystem& system() = 0;

  // The constraint in a message.
  virtual std::string constraint_name(int constraint) const { return "constraint " + std::to_string(constraint); }

  // The gradient of the Lagrangian, b + A^T multipliers [unknown], at the point of the last evaluation, for methods that use no
  // matrices. False where the problem has it by `linearize` alone.
  virtual bool differentiate(const Eigen::VectorXd& /*point*/, const Eigen::VectorXd& /*multipliers*/,
                             Eigen::VectorXd& /*gradient*/) {
    return false;
  }
};

}  // namespace holo
