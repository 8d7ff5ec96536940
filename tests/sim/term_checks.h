#pragma once
// A term of the potential as a function of everything that it depends on, and differences of such functions.

#include <Eigen/Dense>
#include <array>

#include "holo/sim/dynamics/block_assembler.h"
#include "holo/sim/dynamics/potential_term.h"
#include "scenes.h"

namespace holo::test {

// Central differences of sixth order: error O(h^6).
template <class Function>
auto difference(const Function& f, double h) {
  using Value = std::decay_t<decltype(f(h))>;
  return Value((45 * Value(f(h) - f(-h)) - 9 * Value(f(2 * h) - f(-2 * h)) + Value(f(3 * h) - f(-3 * h))) / (60 * h));
}

inline Eigen::VectorXd gradient_of(PotentialTerm& term, const Eigen::VectorXd& x) {
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(x.size());
  term.add_gradient(x, gradient);
  return gradient;
}

inline Eigen::MatrixXd hessian_of(PotentialTerm& term, const ElasticModel& model, const Eigen::VectorXd& x,
                                  Curvature curvature) {
  BlockAssembler assembler(model.pattern().matrix);
  SparseMatrix hessian;
  assembler.begin(hessian, nullptr);
  term.add_hessian(x, curvature, assembler);
  assembler.finish();
  return Eigen::MatrixXd(hessian).selfadjointView<Eigen::Lower>();
}

inline Eigen::MatrixXd parameter_gradient_of(PotentialTerm& term, const Eigen::VectorXd& x) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(x.size(), term.parameter_count());
  if (term.parameter_count() > 0) term.add_parameter_gradient(x, columns);
  return columns;
}

inline Eigen::MatrixXd lag_gradient_of(PotentialTerm& term, const Eigen::VectorXd& x, const Eigen::MatrixXd& lag) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(x.size(), lag.cols());
  if (term.lag_count() > 0) term.add_lag_gradient(x, lag, columns);
  return columns;
}

inline Eigen::MatrixXd start_gradient_of(PotentialTerm& term, const Eigen::VectorXd& x, const Eigen::MatrixXd& positions,
                                         const Eigen::MatrixXd& velocities) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(x.size(), positions.cols());
  term.add_start_gradient(x, positions, velocities, columns);
  return columns;
}

inline Eigen::MatrixXd random_columns(Eigen::Index rows, Eigen::Index columns, std::size_t seed) {
  Eigen::MatrixXd result(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j)
    result.col(j) = disturbed(Eigen::VectorXd::Zero(rows), 1, seed + static_cast<std::size_t>(j));
  return result;
}

// Everything that a term depends on; `apply` puts the term there.
struct TermPoint {
  Eigen::VectorXd x, parameters, lagged_at, start_positions, start_velocities;

  void apply(PotentialTerm& term, double time_step) const {
    if (parameters.size() > 0) term.set_parameters(parameters);
    term.begin_step({start_positions, start_velocities, time_step, 0, time_step});
    term.update_lag(lagged_at);
  }
};

// y . d2r[d_i, d_j] of a term against differences of y . (H dx_j + P da_j + L dlag_j + N dstart_j), the lag along the curve
// that directions of positions and parameters draw. Returns the largest error relative to the largest entry of H times |y| |d|.
inline double adjoint_hessian_error(PotentialTerm& term, const ElasticModel& model, const TermPoint& at, double time_step,
                                    double step) {
  constexpr Eigen::Index columns = 3;
  const Eigen::Index n = at.x.size();
  const Eigen::VectorXd y = random_columns(n, 1, 30);
  const Eigen::MatrixXd positions = random_columns(n, columns, 40), lagged_at = random_columns(n, columns, 50),
                        start_positions = random_columns(n, columns, 60), start_velocities = random_columns(n, columns, 70);
  Eigen::MatrixXd parameters = random_columns(at.parameters.size(), columns, 80);
  for (Eigen::Index k = 0; k < parameters.rows(); ++k)
    if (at.parameters[k] != 0) parameters.row(k) *= at.parameters[k];
  at.apply(term, time_step);
  const Eigen::MatrixXd lag = term.lag_derivative(lagged_at, parameters);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(columns, columns);
  term.add_adjoint_hessian(at.x, y, {positions, parameters, lag, start_positions, start_velocities}, result);
  const double scale = hessian_of(term, model, at.x, Curvature::exact).norm() * y.norm() + result.norm() + 1e-300;
  double error = (result - result.transpose()).norm();
  for (Eigen::Index i = 0; i < columns; ++i) {
    const Eigen::VectorXd slope = difference(
        [&](double t) {
          const TermPoint moved{at.x + t * positions.col(i), at.parameters + t * parameters.col(i),
                                at.lagged_at + t * lagged_at.col(i), at.start_positions + t * start_positions.col(i),
                                at.start_velocities + t * start_velocities.col(i)};
          moved.apply(term, time_step);
          const Eigen::MatrixXd along = hessian_of(term, model, moved.x, Curvature::exact) * positions +
                                        parameter_gradient_of(term, moved.x) * parameters +
                                        lag_gradient_of(term, moved.x, lag) +
                                        start_gradient_of(term, moved.x, start_positions, start_velocities);
          return Eigen::VectorXd(along.transpose() * y);
        },
        step);
    error = std::max(error, (result.row(i).transpose() - slope).norm());
  }
  at.apply(term, time_step);
  return error / scale;
}

// The error of a derivative that differences check, and the size of the derivative.
struct DerivativeCheck {
  double error = 0, size = 0;
};

// dr/dLag dLag along a direction of the lag's positions and one of the parameters, with the term's own parameters constant.
inline DerivativeCheck check_lag_derivative(PotentialTerm& term, const TermPoint& at, double time_step, double step) {
  const Eigen::MatrixXd d = random_columns(at.x.size(), 1, 20), da = 0.3 * at.parameters;
  const Eigen::VectorXd expected = lag_gradient_of(term, at.x, term.lag_derivative(d, da));
  const Eigen::VectorXd slope = difference(
      [&](double t) {
        TermPoint moved = at;
        moved.lagged_at += t * d;
        moved.parameters += t * da;
        moved.apply(term, time_step);
        if (at.parameters.size() > 0) term.set_parameters(at.parameters);
        return gradient_of(term, at.x);
      },
      step);
  at.apply(term, time_step);
  return {(expected - slope).norm(), slope.norm()};
}

inline DerivativeCheck check_start_gradient(PotentialTerm& term, const TermPoint& at, double time_step, double step) {
  const Eigen::MatrixXd d = random_columns(at.x.size(), 1, 21), v = random_columns(at.x.size(), 1, 22);
  const Eigen::VectorXd expected = start_gradient_of(term, at.x, d, v);
  const Eigen::VectorXd slope = difference(
      [&](double t) {
        TermPoint moved = at;
        moved.start_positions += t * d;
        moved.start_velocities += t * v;
        moved.apply(term, time_step);
        return gradient_of(term, at.x);
      },
      step);
  at.apply(term, time_step);
  return {(expected - slope).norm(), slope.norm()};
}

// Each row of (y . dr/dLag) . d2Lag for two directions of the lag's positions and of the parameters. Along the differences the
// derivative of the lag moves, and the term stays where it is.
inline std::array<DerivativeCheck, 2> check_lag_curvature(PotentialTerm& term, const TermPoint& at, double time_step,
                                                          double step) {
  const Eigen::VectorXd y = random_columns(at.x.size(), 1, 30);
  const Eigen::MatrixXd positions = random_columns(at.x.size(), 2, 31),
                        parameters = at.parameters * Eigen::RowVector2d(0.3, -0.2);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(2, 2);
  term.add_lag_curvature(at.x, y, positions, parameters, result);
  std::array<DerivativeCheck, 2> checks;
  for (Eigen::Index i = 0; i < 2; ++i) {
    const Eigen::VectorXd slope = difference(
        [&](double t) {
          TermPoint moved = at;
          moved.lagged_at += t * positions.col(i);
          moved.parameters += t * parameters.col(i);
          moved.apply(term, time_step);
          const Eigen::MatrixXd lag = term.lag_derivative(positions, parameters);
          at.apply(term, time_step);
          return Eigen::VectorXd(lag_gradient_of(term, at.x, lag).transpose() * y);
        },
        step);
    checks[std::size_t(i)] = {(result.row(i).transpose() - slope).norm(), slope.norm()};
  }
  return checks;
}

}  // namespace holo::test
