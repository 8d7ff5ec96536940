#pragma once
// An equality-constrained problem whose gradients are exact by complex steps.

#include <Eigen/Dense>
#include <algorithm>
#include <complex>
#include <functional>
#include <initializer_list>

#include "holo/opt/trajectory/dense_saddle_point.h"
#include "holo/opt/trajectory/equality_constrained_problem.h"

namespace holo::test {

// E = |r|^2 of residuals with the model 2 J^T J; or an objective, with the Hessian of the Lagrangian by differences of
// gradients.
struct ComplexStepProblem : EqualityConstrainedProblem {
  using Complex = std::complex<double>;
  using Vector = Eigen::VectorXcd;

  ComplexStepProblem(int unknowns, int constraints) : dense(unknowns, constraints) {}

  std::function<Vector(const Vector&)> residuals, constraints;
  std::function<Complex(const Vector&)> objective;
  DenseSaddlePoint dense;
  int evaluations = 0, linearizations = 0;

  int unknown_count() const override { return dense.unknown_count(); }
  int constraint_count() const override { return dense.constraint_count(); }
  double evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& values) override {
    ++evaluations;
    const Vector z = x.cast<Complex>();
    if (constraints) values = constraints(z).real();
    return residuals ? residuals(z).real().squaredNorm() : objective(z).real();
  }
  void linearize(const Eigen::VectorXd& x, const Eigen::VectorXd& multipliers, Eigen::VectorXd& gradient) override {
    ++linearizations;
    if (constraints) dense.jacobian() = jacobian(constraints, x);
    if (residuals) {
      const Eigen::MatrixXd J = jacobian(residuals, x);
      gradient = 2 * J.transpose() * residuals(x.cast<Complex>()).real();
      dense.hessian() = 2 * J.transpose() * J;
      return;
    }
    gradient = lagrangian_gradient(x, Eigen::VectorXd::Zero(multipliers.size()));
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      constexpr double step = 1e-5;
      Eigen::VectorXd before = x, after = x;
      before[j] -= step, after[j] += step;
      dense.hessian().col(j) =
          (lagrangian_gradient(after, multipliers) - lagrangian_gradient(before, multipliers)) / (2 * step);
    }
    dense.hessian() = (dense.hessian() + dense.hessian().transpose()).eval() / 2;
  }
  SaddlePointSystem& system() override { return dense; }

  static Eigen::MatrixXd jacobian(const std::function<Vector(const Vector&)>& function, const Eigen::VectorXd& x) {
    constexpr double step = 1e-30;
    Vector z = x.cast<Complex>();
    Eigen::MatrixXd result;
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      z[j] += Complex(0, step);
      const Eigen::VectorXd column = function(z).imag() / step;
      if (j == 0) result.resize(column.size(), x.size());
      result.col(j) = column;
      z[j] = x[j];
    }
    return result;
  }
  Eigen::VectorXd lagrangian_gradient(const Eigen::VectorXd& x, const Eigen::VectorXd& multipliers) const {
    const auto lagrangian = [&](const Vector& z) -> Vector {
      Complex value = objective(z);
      if (constraints) value += (multipliers.cast<Complex>().array() * constraints(z).array()).sum();
      return Vector::Constant(1, value);
    };
    return jacobian(lagrangian, x).transpose();
  }
};

// A vector of these entries.
inline Eigen::VectorXcd values(std::initializer_list<std::complex<double>> list) {
  Eigen::VectorXcd v(Eigen::Index(list.size()));
  std::copy(list.begin(), list.end(), v.data());
  return v;
}
inline Eigen::VectorXd reals(std::initializer_list<double> list) {
  Eigen::VectorXd v(Eigen::Index(list.size()));
  std::copy(list.begin(), list.end(), v.data());
  return v;
}

template <class T>
T square(const T& x) {
  return x * x;
}
template <class T>
T cube(const T& x) {
  return x * x * x;
}

}  // namespace holo::test
