#pragma once
// A motion of several time steps as a function of the parameters of its terms, with first and second derivatives by implicit
// differentiation.

#include <gtest/gtest.h>

#include "holo/sim/dynamics/implicit_euler.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "term_checks.h"

namespace holo::test {

class Rollout {
 public:
  static constexpr int step_count = 5;

  // Starts disturbed by `displacement` [m] and `speed` [m/s] per entry, but for prescribed vertices.
  Rollout(const ElasticScene& scene, double displacement, double speed) : elastic_(scene) {
    ElasticState start = initial_state(*elastic_.model);
    potential_.begin_step(elastic_.step_from(start), elastic_.schedule);
    weights_ = random_columns(start.positions.size(), 1, 7);
    for (int v = 0; v < elastic_.model->vertex_count(); ++v)
      if (!potential_.prescribed(v)) {
        start.positions.segment<3>(3 * v) += displacement * weights_.segment<3>(3 * v);
        start.velocities.segment<3>(3 * v) = speed * weights_.segment<3>(3 * v).reverse();
      }
    states_.assign(step_count + 1, start);
  }
  const ElasticScene& scene() const { return elastic_; }
  const ElasticState& state(int step) const { return states_[std::size_t(step)]; }
  Eigen::VectorXd parameters() const { return potential_.parameters(); }
  Eigen::Index size() const { return weights_.size(); }

  // Each step is minimized until nothing but rounding is left.
  void run(const Eigen::VectorXd& parameters) {
    potential_.set_parameters(parameters);
    for (int n = 0; n < step_count; ++n) {
      begin(n);
      Eigen::VectorXd x = states_[std::size_t(n)].positions;
      const NewtonResult result = minimize(potential_, x, {.tolerance = 1e-12}, workspace_);
      ASSERT_EQ(result.status, NewtonStatus::converged) << result.diagnosis;
      for (int polish = 0; polish < 2; ++polish) x -= hessian_inverse_times(x, gradient_at(x));
      ElasticState& next = states_[std::size_t(n) + 1];
      next.velocities = (x - states_[std::size_t(n)].positions) / dt();
      next.positions = x;
      next.step = n + 1;
    }
  }

  // J = |x_N - X|^2/2 + w . v_N
  double loss() const {
    return (end().positions - elastic_.model->start_positions()).squaredNorm() / 2 + weights_.dot(end().velocities);
  }

  // dx_n and dv_n of all steps along directions of the parameters.
  struct Tangents {
    std::vector<Eigen::MatrixXd> positions, velocities, lag;
  };
  Tangents tangents(const Eigen::MatrixXd& da) {
    const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(size(), da.cols());
    Tangents result{{zero}, {zero}, {}};
    for (int n = 0; n < step_count; ++n) {
      begin(n);
      const Eigen::VectorXd& x = states_[std::size_t(n) + 1].positions;
      const Eigen::MatrixXd dx_n = result.positions.back(), dv_n = result.velocities.back();
      result.lag.push_back(potential_.lag_derivative(dx_n, da));
      const Eigen::MatrixXd change = potential_.parameter_gradient(x) * da + potential_.start_gradient(x, dx_n, dv_n) +
                                     potential_.lag_gradient(x, result.lag.back());
      const Eigen::MatrixXd dx = -hessian_inverse_times(x, change);
      result.positions.push_back(dx);
      result.velocities.push_back((dx - dx_n) / dt());
    }
    return result;
  }
  Eigen::VectorXd gradient(const Eigen::MatrixXd& da) {
    const Tangents t = tangents(da);
    return t.positions.back().transpose() * (end().positions - elastic_.model->start_positions()) +
           t.velocities.back().transpose() * weights_;
  }

  // d2J along pairs of directions: backwards through the steps, y solves H y = -(dJ/dx_{n+1}), and the second derivatives of
  // each step's residual count with it.
  Eigen::MatrixXd second_derivative(const Eigen::MatrixXd& da) {
    const Tangents t = tangents(da);
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(size(), size()), zero = Eigen::MatrixXd::Zero(size(), size()),
                          no_parameters = Eigen::MatrixXd::Zero(da.rows(), size());
    Eigen::VectorXd of_x = end().positions - elastic_.model->start_positions(), of_v = weights_;
    Eigen::MatrixXd result = t.positions.back().transpose() * t.positions.back();
    for (int n = step_count - 1; n >= 0; --n) {
      begin(n);
      const auto s = std::size_t(n);
      const Eigen::VectorXd& x = states_[s + 1].positions;
      Eigen::VectorXd y = -hessian_inverse_times(x, of_x + of_v / dt());
      for (int v = 0; v < elastic_.model->vertex_count(); ++v)
        if (potential_.prescribed(v)) y.segment<3>(3 * v).setZero();
      result += potential_.adjoint_hessian(x, y, {t.positions[s + 1], da, t.lag[s], t.positions[s], t.velocities[s]});
      result += potential_.lag_curvature(x, y, t.positions[s], da);
      const Eigen::MatrixXd of_start = potential_.start_gradient(x, identity, zero),
                            of_lag = potential_.lag_gradient(x, potential_.lag_derivative(identity, no_parameters)),
                            of_velocity = potential_.start_gradient(x, zero, identity);
      of_x = (of_start + of_lag).transpose() * y - of_v / dt();
      of_v = of_velocity.transpose() * y;
    }
    return result;
  }

 private:
  double dt() const { return elastic_.integration.time_step; }
  const ElasticState& end() const { return states_.back(); }
  void begin(int n) { potential_.begin_step(elastic_.step_from(states_[std::size_t(n)]), elastic_.schedule); }
  Eigen::VectorXd gradient_at(const Eigen::VectorXd& x) {
    Eigen::VectorXd gradient;
    potential_.derivatives(x, Curvature::exact, gradient, hessian_);
    return gradient;
  }
  Eigen::MatrixXd hessian_inverse_times(const Eigen::VectorXd& x, const Eigen::MatrixXd& columns) {
    gradient_at(x);
    const Eigen::MatrixXd dense = Eigen::MatrixXd(hessian_).selfadjointView<Eigen::Lower>();
    return dense.ldlt().solve(columns);
  }

  ElasticScene elastic_;
  IncrementalPotential potential_{elastic_.model, implicit_euler_terms(elastic_)};
  NewtonWorkspace workspace_;
  SparseMatrix hessian_;
  Eigen::VectorXd weights_;
  std::vector<ElasticState> states_;
};

// The gradient in each parameter against differences of motions, of a length relative to the parameter; `rounding` is that of
// the loss.
inline void expect_gradient_of_motions_solved_anew(Rollout& rollout, double step, double rounding) {
  const Eigen::VectorXd a = rollout.parameters();
  rollout.run(a);
  const Eigen::VectorXd gradient = rollout.gradient(Eigen::MatrixXd::Identity(a.size(), a.size()));
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    const double size = a[k] != 0 ? std::abs(a[k]) : 1;
    const double slope = size * difference(
                                    [&](double t) {
                                      rollout.run(a + t * Eigen::VectorXd::Unit(a.size(), k));
                                      return rollout.loss();
                                    },
                                    step * size);
    EXPECT_NEAR(gradient[k] * size, slope, 1e-8 * std::abs(slope) + rounding / step) << "parameter " << k;
  }
}

// For `count` random directions of the parameters, each entry relative to its parameter.
inline void expect_second_derivative_of_the_gradient(Rollout& rollout, Eigen::Index count, double step, double symmetry) {
  const Eigen::VectorXd a = rollout.parameters();
  Eigen::MatrixXd da = random_columns(a.size(), count, 90);
  for (Eigen::Index k = 0; k < a.size(); ++k)
    if (a[k] != 0) da.row(k) *= std::abs(a[k]);
  rollout.run(a);
  const Eigen::MatrixXd second = rollout.second_derivative(da);
  for (Eigen::Index i = 0; i < da.cols(); ++i) {
    const Eigen::VectorXd slope = difference(
        [&](double t) {
          rollout.run(a + t * da.col(i));
          return rollout.gradient(da);
        },
        step);
    EXPECT_LT((second.row(i).transpose() - slope).norm(), 1e-8 * slope.norm());
  }
  EXPECT_LT((second - second.transpose()).norm(), symmetry * second.norm());
}

}  // namespace holo::test
