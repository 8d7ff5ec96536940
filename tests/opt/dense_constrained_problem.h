#pragma once
// An equality-constrained problem with dense derivatives, made of functions.

#include <Eigen/Dense>
#include <functional>

#include "holo/opt/trajectory/dense_saddle_point.h"
#include "holo/opt/trajectory/equality_constrained_problem.h"

namespace holo::test {

struct DenseConstrainedProblem : EqualityConstrainedProblem {
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  DenseConstrainedProblem(int unknowns, int constraints) : dense(unknowns, constraints) {}

  std::function<double(const Vector&)> objective;
  std::function<void(const Vector&, Vector&)> constraints;
  std::function<void(const Vector&, Vector&)> gradient;
  std::function<void(const Vector& x, const Vector& multipliers, Matrix&)> hessian;
  std::function<void(const Vector&, Matrix&)> jacobian;
  DenseSaddlePoint dense;
  int evaluations = 0, linearizations = 0;

  int unknown_count() const override { return dense.unknown_count(); }
  int constraint_count() const override { return dense.constraint_count(); }
  double evaluate(const Vector& x, Vector& values) override {
    ++evaluations;
    if (constraints) constraints(x, values);
    return objective(x);
  }
  void linearize(const Vector& x, const Vector& multipliers, Vector& b) override {
    ++linearizations;
    gradient(x, b);
    hessian(x, multipliers, dense.hessian());
    if (jacobian) jacobian(x, dense.jacobian());
  }
  SaddlePointSystem& system() override { return dense; }
};

}  // namespace holo::test
