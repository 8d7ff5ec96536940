#include "staged/arrow/arrow_step.h"

#include "holo/core/numerics/stopwatch.h"
#include "staged/arrow/dense_cholesky.h"

namespace holo {

namespace {

using Status = StagedStepOutcome::Status;

std::vector<int> with_offset(std::vector<int> places, const std::vector<int>& more, int offset) {
  for (int place : more) places.push_back(place + offset);
  return places;
}

// One scale for the four numbers of a quaternion; none is a millionth of the largest or less.
void raise(Eigen::VectorXd& scales, const std::vector<int>& quaternions) {
  if (scales.size() == 0) return;
  for (int place : quaternions) scales.segment<4>(place).setConstant(scales.segment<4>(place).mean());
  const double largest = scales.maxCoeff();
  for (double& scale : scales) scale = largest > 0 ? std::max(scale, 1e-6 * largest) : 1.0;
}

}  // namespace

ArrowStep::ArrowStep(const StagedLayout& layout, StateFactorization factorization)
    : layout_(layout),
      factors_(layout, factorization),
      condensation_(layout, factors_),
      recovery_(layout, factors_),
      rated_(layout, factors_, condensation_.stages().parameters_size),
      control_quaternions_(layout.control_count, layout.control_quaternions),
      start_quaternions_(layout.parameter_count + layout.control_count,
                         with_offset(layout.parameter_quaternions, layout.control_quaternions, layout.parameter_count)),
      width_(control_quaternions_.reduced_count()),
      parameters_size_(condensation_.stages().parameters_size) {
  const int np = layout.parameter_count, nu = layout.control_count, count = layout.stage_count;
  change_.controls.setZero(nu, count);
  change_.rates.setZero(nu, count);
  change_.parameters.setZero(np, layout.block_count());
  w_.setZero(nu, nu);
  g_.setZero(parameters_size_, nu);
  rates_.setZero(nu, nu);
  rates_controls_.setZero(nu, nu);
  rates_parameters_.setZero(parameters_size_, nu);
  product_.setZero(nu, nu);
  offset_.setZero(nu);
  radial_.setZero(nu);
  parameters_linear_.setZero(parameters_size_);
  factor_.setZero(width_, width_ * count);
  gain_parameters_.setZero(parameters_size_, width_ * count);
  gain_controls_.setZero(nu, width_ * count);
  parameters_.setZero(parameters_size_, parameters_size_);
  block_sums_.setZero(parameters_size_, parameters_size_ * layout.block_count());
  const int full = np + nu, reduced = start_quaternions_.reduced_count();
  start_.setZero(full, full);
  start_half_.setZero(full, reduced);
  start_reduced_.setZero(reduced, reduced);
  start_point_.setZero(full);
  start_linear_.setZero(full);
  start_step_.setZero(full);
  start_residual_.setZero(Eigen::Index(start_quaternions_.places().size()));
  start_reduced_linear_.setZero(reduced);
  bound_multipliers_.setZero(layout.parameter_lower.size());
  for (int p = 0; p < int(bound_multipliers_.size()); ++p)
    if (std::isfinite(layout.parameter_lower[p]) || std::isfinite(layout.parameter_upper[p])) bounded_.push_back(p);
}

StagedStepOutcome ArrowStep::prepare(const StagedQuadratic& quadratic) {
  Stopwatch watch;
  const int singular = factors_.factor(quadratic.blocks);
  times_.factor = watch.lap();
  if (singular >= 0) return {Status::singular, singular};
  condensation_.condense(quadratic);
  rated_.prepare(quadratic);
  times_.condense = watch.lap();
  return {};
}

StagedStepOutcome ArrowStep::solve(const StagedQuadratic& quadratic, StagedDirection& direction) {
  change_.controls.setZero();
  change_.rates.setZero();
  change_.parameters.setZero();
  const StagedStepOutcome outcome = find_step(quadratic, quadratic.constraints, direction.step);
  Stopwatch watch;
  direction.multipliers.parameter_bounds = bound_multipliers_;
  if (outcome.solved()) recovery_.find_multipliers(quadratic, direction);
  times_.recovery += watch.lap();
  return outcome;
}

StagedStepOutcome ArrowStep::correct(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                     StagedPoint& step) {
  condensation_.change_residual(quadratic, constraints.states, change_.controls, change_.rates, change_.parameters);
  return find_step(quadratic, constraints, step);
}

void ArrowStep::find_multipliers(const StagedQuadratic& quadratic, StagedDirection& direction) {
  recovery_.find_multipliers(quadratic, direction);
}

void ArrowStep::find_scales(StagedScales& scales) const {
  const CondensedStages& stages = condensation_.stages();
  const int np = layout_.parameter_count, nu = layout_.control_count, count = layout_.stage_count;
  scales.parameters.setZero();
  scales.controls.setZero();
  scales.rates.setZero();
  for (int block = 0; block < layout_.block_count(); ++block)
    for (int p = 0; p < np; ++p) scales.parameters[p] += std::abs(stages.parameters(p, parameters_size_ * block + p)) / count;
  for (int k = 0; k < count; ++k) {
    scales.controls += stages.controls.middleCols(nu * k, nu).diagonal().cwiseAbs() / count;
    scales.rates += stages.rates.middleCols(nu * k, nu).diagonal().cwiseAbs() / count;
  }
  scales.rates += layout_.time_step * layout_.time_step * scales.controls;
  raise(scales.parameters, layout_.parameter_quaternions);
  raise(scales.controls, layout_.control_quaternions);
  raise(scales.rates, layout_.control_quaternions);
}

StagedStepOutcome ArrowStep::find_step(const StagedQuadratic& quadratic, const StagedConstraints& constraints,
                                       StagedPoint& step) {
  Stopwatch watch;
  rated_.begin(constraints);
  StagedStepOutcome outcome = sweep_back(quadratic, constraints);
  if (!outcome.solved()) return outcome;
  sum_parameters(quadratic);
  outcome = find_start(quadratic, constraints, step);
  if (!outcome.solved()) return outcome;
  sweep_forward(quadratic, constraints, step);
  times_.recursion = watch.lap();
  recovery_.find_states(quadratic, constraints, step);
  times_.recovery = watch.lap();
  return outcome;
}

// The value of the stages from k on is quadratic in (u_k, p, 1). Backward in time: the next stage's value with
// u_(k+1) = u_k + h v_k + offset joins stage k's model, whose minimizer over v_k is found by a Cholesky factorization; the
// Schur complement is stage k's value.
StagedStepOutcome ArrowStep::sweep_back(const StagedQuadratic& quadratic, const StagedConstraints& constraints) {
  const CondensedStages& stages = condensation_.stages();
  const int nu = layout_.control_count, np = layout_.parameter_count, last = layout_.stage_count - 1;
  parameters_linear_.setZero();
  if (!rated_.empty()) rated_parameters_.setZero(parameters_size_, parameters_size_);
  w_ = stages.controls.middleCols(nu * last, nu);
  w_.diagonal() += quadratic.control_shift;
  g_ = stages.controls_parameters.middleCols(nu * last, nu);
  g_.row(np) += change_.controls.col(last).transpose();
  for (int k = last - 1; k >= 0; --k) {
    begin_stage(quadratic, constraints, k);
    auto factor = columns(factor_, k), parameters = columns(gain_parameters_, k), controls = columns(gain_controls_, k);
    if (control_quaternions_.empty()) {
      factor = rates_;
      parameters = rates_parameters_;
      controls = rates_controls_.transpose();
    } else {
      eliminate_radial_rates(quadratic, constraints, k);
      const auto q = quadratic.point.controls.col(k + 1);
      auto half = product_.leftCols(width_);
      control_quaternions_.reduce_columns(q, rates_, half);
      control_quaternions_.reduce_rows(q, half, factor);
      control_quaternions_.reduce_columns(q, rates_parameters_, parameters);
      product_ = rates_controls_.transpose();
      control_quaternions_.reduce_columns(q, product_, controls);
    }
    if (!factor_cholesky(factor)) return {Status::not_convex, k};
    // Half solves: with L L^T the rates' matrix, the Schur complement subtracts products of L^-1 times the couplings.
    solve_rows(factor, parameters);
    solve_rows(factor, controls);
    add_product(g_, parameters, controls, -1);
    add_product(w_, controls, controls, -1);
    for (int i = 0; i < nu; ++i)
      for (int j = 0; j < i; ++j) w_(i, j) = w_(j, i) = 0.5 * (w_(i, j) + w_(j, i));
  }
  return {};
}

// The stage's model with the value of the next one put in, where u' = u + h v + offset.
void ArrowStep::begin_stage(const StagedQuadratic& quadratic, const StagedConstraints& constraints, int stage) {
  const CondensedStages& stages = condensation_.stages();
  const int nu = layout_.control_count, np = layout_.parameter_count;
  const double h = layout_.time_step;
  offset_ = -h * constraints.rates.col(stage);
  for (int u = 0; u < nu; ++u) {
    parameters_linear_ += g_.col(u) * offset_[u];
    g_.row(np) += w_.row(u) * offset_[u];
  }
  rates_ = stages.rates.middleCols(nu * stage, nu) + h * h * w_;
  rates_.diagonal() += quadratic.rate_shift;
  rates_controls_ = stages.rates_controls.middleCols(nu * stage, nu) + h * w_;
  rates_parameters_ = stages.rates_parameters.middleCols(nu * stage, nu) + h * g_;
  rates_parameters_.row(np) += change_.rates.col(stage).transpose();
  g_ += stages.controls_parameters.middleCols(nu * stage, nu);
  g_.row(np) += change_.controls.col(stage).transpose();
  w_ += stages.controls.middleCols(nu * stage, nu);
  w_.diagonal() += quadratic.control_shift;
  if (!rated_.empty()) add_state_rates(quadratic, stage);
}

// Adds r' dw + 1/2 r'' dw^2 of each rated state to the stage's model.
void ArrowStep::add_state_rates(const StagedQuadratic& quadratic, int stage) {
  const int np = layout_.parameter_count;
  for (int j = 0; j < rated_.count(); ++j) {
    rated_.find(j, stage, offset_);
    const double slope = quadratic.state_rate_slopes(j, stage), curvature = quadratic.state_rate_curvatures(j, stage);
    const auto rate = rated_.rate();
    for (int u = 0; u < layout_.control_count; ++u) {
      rates_.col(u) += curvature * rate[u] * rate;
      rates_controls_.col(u) += curvature * rated_.control()[u] * rate;
      rates_parameters_.col(u) += curvature * rate[u] * rated_.parameter();
      rates_parameters_(np, u) += slope * rate[u];
      g_.col(u) += curvature * rated_.control()[u] * rated_.parameter();
      g_(np, u) += slope * rated_.control()[u];
      w_.col(u) += curvature * rated_.control()[u] * rated_.control();
    }
    parameters_linear_ += (slope + curvature * rated_.parameter()[np]) * rated_.parameter();
    for (int p = 0; p < np; ++p) rated_parameters_.col(p) += curvature * rated_.parameter()[p] * rated_.parameter();
  }
}

// The component of each quaternion's rate along the quaternion n at the next stage is determined: n . dv = y - n . du / h. Puts
// dv = n y - n n^T du / h + the rest into the stage's model. [Maloisel2023] Eq 10, corrected.
void ArrowStep::eliminate_radial_rates(const StagedQuadratic& quadratic, const StagedConstraints& constraints, int stage) {
  const double h = layout_.time_step;
  const int np = layout_.parameter_count;
  const auto& places = control_quaternions_.places();
  product_.setZero();  // rates_ X
  radial_.setZero();
  for (std::size_t n = 0; n < places.size(); ++n) {
    const int place = places[n];
    const Eigen::Vector4d q = quadratic.point.controls.col(stage + 1).segment<4>(place), unit = q / q.norm();
    const double y =
        (-constraints.control_quaternions(Eigen::Index(n), stage + 1) / (2 * q.norm()) - unit.dot(offset_.segment<4>(place))) /
        h;
    radial_.segment<4>(place) = unit * y;
    for (int i = 0; i < layout_.control_count; ++i)
      product_.row(i).segment<4>(place) = -unit.dot(rates_.row(i).segment<4>(place)) / h * unit.transpose();
  }
  for (int v = 0; v < layout_.control_count; ++v) {
    parameters_linear_ += rates_parameters_.col(v) * radial_[v];
    rates_parameters_.row(np) += rates_.row(v) * radial_[v];
    g_.row(np) += rates_controls_.row(v) * radial_[v];
  }
  auto add_along = [&](auto&& to, const auto& from, int place, const Eigen::Vector4d& unit) {  // to += X^T from
    for (Eigen::Index j = 0; j < from.cols(); ++j)
      to.col(j).template segment<4>(place) -= unit * (unit.dot(from.col(j).template segment<4>(place)) / h);
  };
  // g: X^T (rates_parameters_, with rates_ y in it); w: X^T rates_controls + its transpose + X^T rates X.
  for (int place : places) {
    const Eigen::Vector4d unit = quadratic.point.controls.col(stage + 1).segment<4>(place).normalized();
    for (Eigen::Index i = 0; i < parameters_size_; ++i)
      g_.row(i).segment<4>(place) -= unit.dot(rates_parameters_.row(i).segment<4>(place)) / h * unit.transpose();
    add_along(w_, rates_controls_, place, unit);
    auto transposed = w_.transpose();
    add_along(transposed, rates_controls_, place, unit);
    add_along(w_, product_, place, unit);
  }
  rates_controls_ += product_;
}

// Forward in time: each v_k minimizes its stage's model at the known u_k and p, and gives u_(k+1).
void ArrowStep::sweep_forward(const StagedQuadratic& quadratic, const StagedConstraints& constraints, StagedPoint& step) {
  const int np = layout_.parameter_count;
  const double h = layout_.time_step;
  auto& free = product_;
  for (int k = 0; k + 1 < layout_.stage_count; ++k) {
    const auto du = step.controls.col(k);
    auto dv = step.rates.col(k);
    auto w = free.col(0).head(width_);
    const auto parameters = columns(gain_parameters_, k), controls = columns(gain_controls_, k);
    for (int j = 0; j < width_; ++j)
      w[j] = -parameters.col(j).head(np).dot(step.parameters) - parameters(np, j) - controls.col(j).dot(du);
    solve_lower_transposed(columns(factor_, k), w);
    offset_ = -h * constraints.rates.col(k);
    if (control_quaternions_.empty()) {
      dv = w;
    } else {
      control_quaternions_.expand(quadratic.point.controls.col(k + 1), w, dv);
      for (std::size_t n = 0; n < control_quaternions_.places().size(); ++n) {
        const int place = control_quaternions_.places()[n];
        const Eigen::Vector4d q = quadratic.point.controls.col(k + 1).segment<4>(place), unit = q / q.norm();
        const double along = -constraints.control_quaternions(Eigen::Index(n), k + 1) / (2 * q.norm()) -
                             unit.dot(offset_.segment<4>(place)) - unit.dot(du.segment<4>(place));
        dv.segment<4>(place) += unit * (along / h);
      }
    }
    step.controls.col(k + 1) = du + h * dv + offset_;
  }
}

}  // namespace holo
