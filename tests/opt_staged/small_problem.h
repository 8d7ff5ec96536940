#pragma once
// A discrete-time optimal control problem from functions of one knot, dense, with derivatives by central differences of
// gradients that are given:
// for problems with a handful of numbers.

#include <functional>
#include <limits>

#include "holo/opt/staged/staged_sqp.h"

namespace holo::test {

// A problem whose functions are of a knot's unknowns (p, u, v, s); v is zero at the last knot.
struct SmallProblem : OptimalControlProblem {
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  SmallProblem(int stages, double time_step, int parameters, int controls, int states,
               std::vector<int> parameter_quaternions = {}, std::vector<int> control_quaternions = {}) {
    layout_.stage_count = stages;
    layout_.time_step = time_step;
    layout_.parameter_count = parameters;
    layout_.control_count = controls;
    layout_.state_count = states;
    layout_.parameter_quaternions = std::move(parameter_quaternions);
    layout_.control_quaternions = std::move(control_quaternions);
    layout_.states_jacobian = full(states, states);
    layout_.parameters_jacobian = full(states, parameters);
    layout_.controls_jacobian = full(states, controls);
    const int size = layout_.stage_size();
    layout_.hessian = StagePattern(Matrix::Ones(size, size).triangularView<Eigen::Upper>().toDenseMatrix().sparseView());
    layout_.hessian.makeCompressed();
  }

  // Of knot k: objective with gradient and Hessian, C with Jacobian [row][unknown] and each row's Hessian.
  std::function<double(int, const Vector&)> objective;
  std::function<Vector(int, const Vector&)> gradient;
  std::function<Matrix(int, const Vector&)> hessian;
  std::function<Vector(const Vector&)> constraint;
  std::function<Matrix(const Vector&)> jacobian;
  std::function<Matrix(const Vector&, int)> constraint_hessian;
  std::function<double(const StagedPoint&, const StagedPoint&)> limit;
  std::function<bool(const StagedPoint&)> branch;
  std::function<bool(const StagedPoint&)> center;
  double rate_weight = 0;  // w of w/2 rate^2 of each rated state

  const StagedLayout& layout() const override { return layout_; }
  StagedLayout& mutable_layout() { return layout_; }
  void evaluate(const StagedPoint& point, int first, int last, double* objectives,
                Eigen::Ref<Eigen::MatrixXd> residual) const override {
    for (int k = first; k < last; ++k) {
      const Vector x = unknowns(point, k);
      objectives[k - first] = objective(k, x);
      residual.col(k - first) = constraint(x);
    }
  }
  void differentiate(const StagedPoint& point, const Eigen::MatrixXd& multipliers, bool gauss_newton, int block,
                     StageDerivatives& to) const override {
    const int first = block * stage_lanes, count = std::min(stage_lanes, layout_.stage_count - first);
    const int np = layout_.parameter_count, nu = layout_.control_count, ns = layout_.state_count;
    for (int lane = 0; lane < count; ++lane) {
      const Vector x = unknowns(point, first + lane);
      to.objective[lane] = objective(first + lane, x);
      to.gradient.col(lane) = gradient(first + lane, x);
      to.residual.col(lane) = constraint(x);
      const Matrix rows = jacobian(x);
      to.parameters_jacobian.col(lane) = rows.leftCols(np).reshaped();
      to.controls_jacobian.col(lane) = rows.middleCols(np, nu).reshaped();
      to.states_jacobian.col(lane) = rows.rightCols(ns).reshaped();
      Matrix h = hessian(first + lane, x);
      for (int row = 0; row < ns && !gauss_newton; ++row) h += multipliers(row, first + lane) * constraint_hessian(x, row);
      for (int column = 0, e = 0; column < layout_.stage_size(); ++column)
        for (int row = 0; row <= column; ++row) to.hessian(e++, lane) = h(row, column);
    }
  }
  double feasible_step(const StagedPoint& point, const StagedPoint& step) const override {
    return limit ? limit(point, step) : 1;
  }
  bool is_on_branch(const StagedPoint& point) const override { return !branch || branch(point); }
  double evaluate_state_rates(const Matrix& rates) const override { return 0.5 * rate_weight * rates.squaredNorm(); }
  void differentiate_state_rates(const Matrix& rates, Matrix& slopes, Matrix& curvatures) const override {
    slopes = rate_weight * rates;
    curvatures.setConstant(rate_weight);
  }
  bool recenter(const StagedPoint& point) override { return center && center(point); }

  // A point with states that fit nothing.
  StagedPoint start(double parameters, double controls, double states) const {
    StagedPoint point = zero_point(layout_);
    point.parameters.setConstant(parameters);
    point.controls.setConstant(controls);
    point.states.setConstant(states);
    return point;
  }

 private:
  static StagePattern full(int rows, int columns) {
    StagePattern pattern = Matrix::Ones(rows, columns).sparseView();
    pattern.makeCompressed();
    return pattern;
  }
  Vector unknowns(const StagedPoint& point, int k) const {
    Vector x(layout_.stage_size());
    x << point.parameters, point.controls.col(k),
        k + 1 < layout_.stage_count ? Vector(point.rates.col(k)) : Vector(Vector::Zero(layout_.control_count)),
        point.states.col(k);
    return x;
  }

  StagedLayout layout_;
};

// Linear-quadratic: s = u + p; f = 1/2 (s - target_k)^2 + 1/2 a u^2 + 1/2 b v^2 + 1/2 c p^2. Unknowns: p, u, v, s.
inline SmallProblem linear_problem(int stages) {
  SmallProblem problem(stages, 0.5, 1, 1, 1);
  const double a = 0.1, b = 0.01, c = 0.2;
  auto target = [](int k) { return std::sin(0.3 * k); };
  problem.objective = [=](int k, const Eigen::VectorXd& x) {
    return 0.5 * (std::pow(x[3] - target(k), 2) + a * x[1] * x[1] + b * x[2] * x[2] + c * x[0] * x[0]);
  };
  problem.gradient = [=](int k, const Eigen::VectorXd& x) {
    return Eigen::Vector4d(c * x[0], a * x[1], b * x[2], x[3] - target(k));
  };
  problem.hessian = [=](int, const Eigen::VectorXd&) { return Eigen::MatrixXd(Eigen::Vector4d(c, a, b, 1).asDiagonal()); };
  problem.constraint = [](const Eigen::VectorXd& x) { return Eigen::VectorXd::Constant(1, x[3] - x[1] - x[0]); };
  problem.jacobian = [](const Eigen::VectorXd&) { return Eigen::MatrixXd(Eigen::RowVector4d(-1, -1, 0, 1)); };
  problem.constraint_hessian = [](const Eigen::VectorXd&, int) { return Eigen::MatrixXd::Zero(4, 4); };
  return problem;
}

// A pendulum of length p that an actuator turns by u: the states are its end, (x, y) = p (sin u, -cos u), written as
// x^2 + y^2 = p^2 and x cos u + y sin u = 0. The end is to be at given places, which a pendulum of length 2 reaches exactly.
// Unknowns: p, u, v, x, y.
inline SmallProblem pendulum(int stages, double regularizer = 0) {
  SmallProblem problem(stages, 0.1, 1, 1, 2);
  auto angle = [](int k) { return 0.2 + 0.1 * k; };
  auto target = [=](int k) { return Eigen::Vector2d(2 * std::sin(angle(k)), -2 * std::cos(angle(k))); };
  const double w = regularizer;
  problem.objective = [=](int k, const Eigen::VectorXd& z) {
    return 0.5 * (z.tail<2>() - target(k)).squaredNorm() + 0.5 * w * std::pow(z[0] - 1, 2);
  };
  problem.gradient = [=](int k, const Eigen::VectorXd& z) {
    Eigen::VectorXd g = Eigen::VectorXd::Zero(5);
    g[0] = w * (z[0] - 1);
    g.tail<2>() = z.tail<2>() - target(k);
    return g;
  };
  problem.hessian = [=](int, const Eigen::VectorXd&) {
    Eigen::VectorXd d(5);
    d << w, 0, 1e-9, 1, 1;
    return Eigen::MatrixXd(d.asDiagonal());
  };
  problem.constraint = [](const Eigen::VectorXd& z) {
    return Eigen::VectorXd(
        Eigen::Vector2d(z[3] * z[3] + z[4] * z[4] - z[0] * z[0], z[3] * std::cos(z[1]) + z[4] * std::sin(z[1])));
  };
  problem.jacobian = [](const Eigen::VectorXd& z) {
    Eigen::MatrixXd j(2, 5);
    j << -2 * z[0], 0, 0, 2 * z[3], 2 * z[4], 0, -z[3] * std::sin(z[1]) + z[4] * std::cos(z[1]), 0, std::cos(z[1]),
        std::sin(z[1]);
    return j;
  };
  problem.constraint_hessian = [](const Eigen::VectorXd& z, int row) {
    Eigen::MatrixXd h = Eigen::MatrixXd::Zero(5, 5);
    if (row == 0) {
      h.diagonal() << -2, 0, 0, 2, 2;
    } else {
      h(1, 1) = -z[3] * std::cos(z[1]) - z[4] * std::sin(z[1]);
      h(1, 3) = h(3, 1) = -std::sin(z[1]);
      h(1, 4) = h(4, 1) = std::cos(z[1]);
    }
    return h;
  };
  return problem;
}

}  // namespace holo::test
