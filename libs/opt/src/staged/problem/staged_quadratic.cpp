#include "holo/opt/staged/staged_quadratic.h"

#include <algorithm>
#include <cmath>

#include "staged/arrow/block_loop.h"
#include "staged/arrow/lane_access.h"

namespace holo {

namespace {

int quaternion_rows(const StagedLayout& layout) { return int(layout.parameter_quaternions.size()); }

void allocate(StageDerivatives& to, const StagedLayout& layout) {
  to.objective.setZero();
  to.gradient.setZero(layout.stage_size(), stage_lanes);
  to.residual.setZero(layout.state_count, stage_lanes);
  to.states_jacobian.setZero(layout.states_jacobian.nonZeros(), stage_lanes);
  to.parameters_jacobian.setZero(layout.parameters_jacobian.nonZeros(), stage_lanes);
  to.controls_jacobian.setZero(layout.controls_jacobian.nonZeros(), stage_lanes);
  to.hessian.setZero(layout.hessian.nonZeros(), stage_lanes);
}

// Rows of zeros in some lanes.
void clear(StageLanes& values, int first_lane) { values.rightCols(stage_lanes - first_lane).setZero(); }

// The last stage has no rates: their derivatives are set to zero.
void clear_last_rates(const StagedLayout& layout, int lane, StageDerivatives& to) {
  const int begin = layout.parameter_count + layout.control_count, end = begin + layout.control_count;
  to.gradient.col(lane).segment(begin, layout.control_count).setZero();
  for (int column = begin; column < layout.stage_size(); ++column)
    for (int e = layout.hessian.outerIndexPtr()[column]; e < layout.hessian.outerIndexPtr()[column + 1]; ++e) {
      const int row = layout.hessian.innerIndexPtr()[e];
      if (column < end || (row >= begin && row < end)) to.hessian(e, lane) = 0;
    }
}

// Lanes past the last stage: zeros, and the last stage's Jacobians, so that factorizations stay regular.
void pad(const StagedLayout& layout, int count, StageDerivatives& to) {
  to.objective.tail(stage_lanes - count).setZero();
  for (StageLanes* values : {&to.gradient, &to.residual, &to.hessian}) clear(*values, count);
  for (StageLanes* values : {&to.states_jacobian, &to.parameters_jacobian, &to.controls_jacobian})
    for (int lane = count; lane < stage_lanes; ++lane) values->col(lane) = values->col(count - 1);
  clear_last_rates(layout, count - 1, to);
}

// The first lane with a number that is not finite, else stage_lanes.
int first_not_finite(const StageDerivatives& values) {
  Eigen::Array<double, 1, stage_lanes> poison = 0 * values.objective.array();  // 0 x is NaN for infinite and NaN x
  for (const StageLanes* part : {&values.gradient, &values.residual, &values.states_jacobian, &values.parameters_jacobian,
                                 &values.controls_jacobian, &values.hessian})
    for (Eigen::Index i = 0; i < part->rows(); ++i) poison += 0 * part->row(i).array();
  for (int lane = 0; lane < stage_lanes; ++lane)
    if (!(poison[lane] == 0)) return lane;
  return stage_lanes;
}

template <class Matrix>
double absolute_sum(const Matrix& matrix) {
  return matrix.size() == 0 ? 0.0 : matrix.cwiseAbs().sum();
}

}  // namespace

StagedConstraints::StagedConstraints(const StagedLayout& layout)
    : states(Eigen::MatrixXd::Zero(layout.state_count, layout.stage_count)),
      rates(Eigen::MatrixXd::Zero(layout.control_count, layout.stage_count - 1)),
      control_quaternions(Eigen::MatrixXd::Zero(Eigen::Index(layout.control_quaternions.size()), layout.stage_count)),
      parameter_constraints(Eigen::VectorXd::Zero(quaternion_rows(layout) + layout.parameter_constraint_count)) {}

double StagedConstraints::sum() const {
  return absolute_sum(states) + absolute_sum(rates) + absolute_sum(control_quaternions) + absolute_sum(parameter_constraints);
}

double StagedConstraints::largest() const {
  return std::max(
      {largest_entry(states), largest_entry(rates), largest_entry(control_quaternions), largest_entry(parameter_constraints)});
}

void evaluate_linear_constraints(const OptimalControlProblem& problem, const StagedPoint& point, StagedConstraints& to,
                                 Eigen::MatrixXd& parameter_rows_jacobian) {
  const StagedLayout& layout = problem.layout();
  const int count = layout.stage_count, quaternions = quaternion_rows(layout);
  // Rates, quaternions of the controls at all stages, quaternions of the parameters, then the problem's own constraints of p.
  to.rates = (point.controls.rightCols(count - 1) - point.controls.leftCols(count - 1)) / layout.time_step - point.rates;
  for (std::size_t q = 0; q < layout.control_quaternions.size(); ++q)
    for (int k = 0; k < count; ++k)
      to.control_quaternions(Eigen::Index(q), k) =
          point.controls.col(k).segment<4>(layout.control_quaternions[q]).squaredNorm() - 1;
  parameter_rows_jacobian.topRows(quaternions).setZero();
  for (int q = 0; q < quaternions; ++q) {
    const int first = layout.parameter_quaternions[std::size_t(q)];
    const auto quaternion = point.parameters.segment<4>(first);
    to.parameter_constraints[q] = quaternion.squaredNorm() - 1;
    parameter_rows_jacobian.row(q).segment<4>(first) = 2 * quaternion.transpose();
  }
  if (layout.parameter_constraint_count == 0) return;
  problem.parameter_constraints(point.parameters, to.parameter_constraints.tail(layout.parameter_constraint_count),
                                parameter_rows_jacobian.bottomRows(layout.parameter_constraint_count));
}

StagedQuadratic::StagedQuadratic(const StagedLayout& sizes)
    : layout(&sizes),
      point(zero_point(sizes)),
      blocks(std::size_t(sizes.block_count())),
      constraints(sizes),
      parameter_rows_jacobian(
          Eigen::MatrixXd::Zero(quaternion_rows(sizes) + sizes.parameter_constraint_count, sizes.parameter_count)),
      parameter_shift(Eigen::VectorXd::Zero(sizes.parameter_count)),
      control_shift(Eigen::VectorXd::Zero(sizes.control_count)),
      rate_shift(Eigen::VectorXd::Zero(sizes.control_count)),
      state_rates(Eigen::MatrixXd::Zero(Eigen::Index(sizes.rated_states.size()), sizes.stage_count - 1)),
      state_rate_slopes(state_rates),
      state_rate_curvatures(state_rates) {
  for (StageDerivatives& block : blocks) allocate(block, sizes);
}

int StagedQuadratic::linearize(const OptimalControlProblem& problem, const StagedPoint& at,
                               const Eigen::MatrixXd& state_multipliers, bool gauss_newton) {
  point = at;
  for_each_block(int(blocks.size()), [&](int b) {
    StageDerivatives& block = blocks[std::size_t(b)];
    // Blocks are differentiated in parallel; sums and the check for numbers that are not finite follow in the order of the
    // blocks, so that results do not depend on threads.
    problem.differentiate(at, state_multipliers, gauss_newton, b, block);
    const int first = b * stage_lanes, count = std::min(stage_lanes, layout->stage_count - first);
    if (first + count == layout->stage_count) pad(*layout, count, block);
    constraints.states.middleCols(first, count) = block.residual.leftCols(count);
  });
  evaluate_linear_constraints(problem, at, constraints, parameter_rows_jacobian);
  objective = 0;
  int bad = -1;
  for (std::size_t b = 0; b < blocks.size() && bad < 0; ++b) {
    objective += blocks[b].objective.sum();
    const int lane = first_not_finite(blocks[b]);
    if (lane < stage_lanes) bad = std::min(int(b) * stage_lanes + lane, layout->stage_count - 1);
  }
  return bad < 0 && !layout->rated_states.empty() ? linearize_state_rates(problem) : bad;
}

int StagedQuadratic::linearize_state_rates(const OptimalControlProblem& problem) {
  find_state_rates(*layout, point.states, state_rates);
  objective += problem.evaluate_state_rates(state_rates);
  problem.differentiate_state_rates(state_rates, state_rate_slopes, state_rate_curvatures);
  for (int k = 0; k < int(state_rates.cols()); ++k)
    if (!state_rate_slopes.col(k).allFinite() || !state_rate_curvatures.col(k).allFinite()) return k;
  return -1;
}

StagedDirection::StagedDirection(const StagedLayout& layout)
    : step(zero_point(layout)), multipliers(zero_multipliers(layout)) {}

StagedPoint zero_point(const StagedLayout& layout) {
  return {Eigen::VectorXd::Zero(layout.parameter_count), Eigen::MatrixXd::Zero(layout.control_count, layout.stage_count),
          Eigen::MatrixXd::Zero(layout.control_count, layout.stage_count - 1),
          Eigen::MatrixXd::Zero(layout.state_count, layout.stage_count)};
}

StagedMultipliers zero_multipliers(const StagedLayout& layout) {
  const int count = layout.stage_count;
  return {Eigen::MatrixXd::Zero(layout.state_count, count),
          Eigen::MatrixXd::Zero(layout.control_count, count - 1),
          Eigen::MatrixXd::Zero(layout.parameter_count, count - 1),
          Eigen::VectorXd::Zero(quaternion_rows(layout) + layout.parameter_constraint_count),
          Eigen::MatrixXd::Zero(Eigen::Index(layout.control_quaternions.size()), count),
          Eigen::VectorXd::Zero(layout.parameter_lower.size())};
}

// The rate (s_(k+1) - s_k) / h depends on a state at two stages: its slope counts plus 1/h at the later one and minus 1/h at
// the earlier one.
double state_rate_product(const StagedQuadratic& quadratic, const Eigen::MatrixXd& step, int rated, int stage) {
  if (step.size() == 0) return 0;
  double force = 0;
  if (stage > 0) force += quadratic.state_rate_curvatures(rated, stage - 1) * step(rated, stage - 1);
  if (stage < int(step.cols())) force -= quadratic.state_rate_curvatures(rated, stage) * step(rated, stage);
  return force / quadratic.layout->time_step;
}

double state_rate_gradient(const StagedQuadratic& quadratic, int rated, int stage) {
  double force = 0;
  if (stage > 0) force += quadratic.state_rate_slopes(rated, stage - 1);
  if (stage < int(quadratic.state_rate_slopes.cols())) force -= quadratic.state_rate_slopes(rated, stage);
  return force / quadratic.layout->time_step;
}

double slope(const StagedQuadratic& quadratic, const StagedPoint& step) {
  const StagedLayout& layout = *quadratic.layout;
  const int np = layout.parameter_count, nu = layout.control_count;
  double sum = 0;
  for (int k = 0; k < layout.stage_count; ++k) {
    const auto gradient = quadratic.blocks[std::size_t(k / stage_lanes)].gradient.col(k % stage_lanes);
    sum += gradient.head(np).dot(step.parameters) + gradient.segment(np, nu).dot(step.controls.col(k)) +
           gradient.tail(layout.state_count).dot(step.states.col(k));
    if (k + 1 < layout.stage_count) sum += gradient.segment(np + nu, nu).dot(step.rates.col(k));
    for (std::size_t j = 0; j < layout.rated_states.size(); ++j)
      sum += state_rate_gradient(quadratic, int(j), k) * step.states(layout.rated_states[j], k);
  }
  return sum;
}

}  // namespace holo
