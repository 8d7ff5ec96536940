// Derivatives of the potential's gradient in parameters, lag and the start of the step, gathered from its terms.
#include "holo/core/error.h"
#include "holo/sim/dynamics/incremental_potential.h"

namespace holo {

// The step's start is (x_n, v_n) alone: what it inherits from the step before has no derivative here.
void IncrementalPotential::require_implicit_euler() const {
  if (formula_.uses_previous())
    throw Error(
        Failure::input,
        "a motion by scene.integrator: bdf2 cannot be differentiated over its steps, since each depends on the two steps "
        "before it; derivatives within one step exist. Use implicit_euler.");
}

void IncrementalPotential::clear_prescribed(Eigen::Ref<Eigen::MatrixXd> columns) const {
  for (Eigen::Index i = 0; i < columns.rows(); ++i)
    if (prescribed_[std::size_t(i)]) columns.row(i).setZero();
}

Eigen::Index IncrementalPotential::parameter_count() const {
  Eigen::Index count = 0;
  for (const auto& term : terms_) count += term->parameter_count();
  return count;
}

Eigen::VectorXd IncrementalPotential::parameters() const {
  Eigen::VectorXd values(parameter_count());
  Eigen::Index first = 0;
  for (const auto& term : terms_) {
    values.segment(first, term->parameter_count()) = term->parameters();
    first += term->parameter_count();
  }
  return values;
}

void IncrementalPotential::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  Eigen::Index first = 0;
  for (const auto& term : terms_) {
    const Eigen::Index count = term->parameter_count();
    if (count > 0) term->set_parameters(values.segment(first, count));
    first += count;
  }
}

// Each term has columns of its own, in the order of the terms.
Eigen::MatrixXd IncrementalPotential::parameter_gradient(const Eigen::VectorXd& x) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(x.size(), parameter_count());
  Eigen::Index first = 0;
  for (const auto& term : terms_) {
    const Eigen::Index count = term->parameter_count();
    if (count > 0) term->add_parameter_gradient(x, columns.middleCols(first, count));
    first += count;
  }
  clear_prescribed(columns);
  return columns;
}

ParameterRange IncrementalPotential::activations() const {
  Eigen::Index first = 0;
  for (const auto& term : terms_) {
    if (term.get() == elasticity_) break;
    first += term->parameter_count();
  }
  const ParameterRange range = elasticity_->activations();
  return {first + range.first, range.count};
}

Eigen::MatrixXd IncrementalPotential::activation_gradient(const Eigen::VectorXd& x) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(x.size(), elasticity_->activations().count);
  elasticity_->add_activation_gradient(x, columns);
  clear_prescribed(columns);
  return columns;
}

Eigen::MatrixXd IncrementalPotential::start_gradient(const Eigen::VectorXd& x,
                                                     const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                                     const Eigen::Ref<const Eigen::MatrixXd>& velocities) {
  require_implicit_euler();
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(x.size(), positions.cols());
  for (const auto& term : terms_) term->add_start_gradient(x, positions, velocities, columns);
  clear_prescribed(columns);
  return columns;
}

Eigen::Index IncrementalPotential::lag_count() const {
  Eigen::Index count = 0;
  for (const auto& term : terms_) count += term->lag_count();
  return count;
}

Eigen::MatrixXd IncrementalPotential::lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                                     const Eigen::Ref<const Eigen::MatrixXd>& parameters) {
  Eigen::MatrixXd result(lag_count(), positions.cols());
  Eigen::Index first_lag = 0, first_parameter = 0;
  for (const auto& term : terms_) {
    if (term->lag_count() > 0)
      result.middleRows(first_lag, term->lag_count()) =
          term->lag_derivative(positions, parameters.middleRows(first_parameter, term->parameter_count()));
    first_lag += term->lag_count();
    first_parameter += term->parameter_count();
  }
  return result;
}

Eigen::MatrixXd IncrementalPotential::lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(x.size(), lag.cols());
  Eigen::Index first = 0;
  for (const auto& term : terms_) {
    if (term->lag_count() > 0) term->add_lag_gradient(x, lag.middleRows(first, term->lag_count()), columns);
    first += term->lag_count();
  }
  clear_prescribed(columns);
  return columns;
}

Eigen::MatrixXd IncrementalPotential::adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                                      const TermDirections& directions) {
  if (directions.start_positions.rows() > 0 || directions.start_velocities.rows() > 0) require_implicit_euler();
  // Prescribed vertices have no residual: their part of y must not reach the sum.
  Eigen::VectorXd free_y = y;
  clear_prescribed(free_y);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(directions.positions.cols(), directions.positions.cols());
  Eigen::Index first = 0, first_lag = 0;
  for (const auto& term : terms_) {
    const Eigen::Index count = term->parameter_count(), lag_count = directions.lag.rows() > 0 ? term->lag_count() : 0;
    term->add_adjoint_hessian(x, free_y,
                              {directions.positions, directions.parameters.middleRows(first, count),
                               directions.lag.middleRows(lag_count > 0 ? first_lag : 0, lag_count), directions.start_positions,
                               directions.start_velocities},
                              result);
    first += count;
    first_lag += lag_count;
  }
  return result;
}

Eigen::MatrixXd IncrementalPotential::lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                                    const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                                    const Eigen::Ref<const Eigen::MatrixXd>& parameters) {
  Eigen::VectorXd free_y = y;
  clear_prescribed(free_y);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(positions.cols(), positions.cols());
  Eigen::Index first = 0;
  for (const auto& term : terms_) {
    const Eigen::Index count = term->parameter_count();
    term->add_lag_curvature(x, free_y, positions, parameters.middleRows(first, count), result);
    first += count;
  }
  return result;
}

}  // namespace holo
