#include "staged/arrow/stage_recovery.h"

#include <algorithm>
#include <cmath>

#include "staged/arrow/dense_cholesky.h"
#include "staged/arrow/lane_access.h"

namespace holo {

StageRecovery::StageRecovery(const StagedLayout& layout, StateFactors& factors)
    : layout_(layout),
      factors_(factors),
      scratch_([&layout] {
        auto scratch = std::make_unique<Scratch>();
        scratch->step.setZero(layout.stage_size(), stage_lanes);
        scratch->product.setZero(layout.stage_size(), stage_lanes);
        scratch->work.setZero(3 * layout.state_count, stage_lanes);
        return scratch;
      }),
      parameter_terms_(layout.parameter_count, layout.stage_count),
      control_terms_(layout.control_count, layout.stage_count),
      curvatures_(layout.block_count()),
      largest_(layout.block_count()),
      smallest_(layout.block_count()) {
  const Eigen::Index rows = Eigen::Index(layout.parameter_quaternions.size()) + layout.parameter_constraint_count;
  row_products_.resize(rows, rows);
  scratch_.fill();
}

// ds = -C_s^-1 (C + C_p dp + C_u du), stage by stage: solved with the factors, as the products P and U are not kept.
void StageRecovery::find_states(const StagedQuadratic& quadratic, const StagedConstraints& constraints, StagedPoint& step) {
  const int ns = layout_.state_count;
  for_each_block(layout_.block_count(), [&](int block) {
    WorkspacePool<Scratch>::Lease scratch(scratch_);
    const StageDerivatives& values = quadratic.blocks[std::size_t(block)];
    const int first = block * stage_lanes, count = lanes_of(block);
    auto x = scratch->work.topRows(ns);
    x.setZero();
    x.leftCols(count) = -constraints.states.middleCols(first, count);
    const StagePattern &by_parameters = layout_.parameters_jacobian, &by_controls = layout_.controls_jacobian;
    for (int p = 0; p < layout_.parameter_count; ++p)
      for (int e = by_parameters.outerIndexPtr()[p]; e < by_parameters.outerIndexPtr()[p + 1]; ++e)
        x.row(by_parameters.innerIndexPtr()[e]) -= values.parameters_jacobian.row(e) * step.parameters[p];
    for (int u = 0; u < layout_.control_count; ++u)
      for (int e = by_controls.outerIndexPtr()[u]; e < by_controls.outerIndexPtr()[u + 1]; ++e)
        for (int lane = 0; lane < count; ++lane)
          x(by_controls.innerIndexPtr()[e], lane) -= values.controls_jacobian(e, lane) * step.controls(u, first + lane);
    factors_.solve(block, x.data(), scratch->work.data() + ns * stage_lanes);
    step.states.middleCols(first, count) = x.leftCols(count);
  });
}

// The multipliers make the Lagrangian's gradient at the step vanish: first those of C, from the states' part, then those of the
// rates, which balance the rates' part, and last those of the equality of p and of the rows of p and u, from what is left
// there.
void StageRecovery::find_multipliers(const StagedQuadratic& quadratic, StagedDirection& direction) {
  if (!layout_.rated_states.empty()) find_state_rates(layout_, direction.step.states, state_rates_step_);
  for_each_block(layout_.block_count(), [&](int block) {
    WorkspacePool<Scratch>::Lease scratch(scratch_);
    multiply_block(quadratic, block, direction, *scratch);
    find_state_multipliers(quadratic.blocks[std::size_t(block)], block, direction.multipliers, *scratch);
  });
  direction.curvature = curvatures_.sum();
  direction.largest_hessian_step = largest_.maxCoeff();
  find_parameter_multipliers(quadratic, direction.multipliers);
  find_quaternion_multipliers(quadratic, direction.multipliers);
}

// Computes the product (H + shift) step and its statistics, then adds the gradient.
void StageRecovery::multiply_block(const StagedQuadratic& quadratic, int block, StagedDirection& direction, Scratch& scratch) {
  const StageDerivatives& values = quadratic.blocks[std::size_t(block)];
  const int np = layout_.parameter_count, nu = layout_.control_count, size = layout_.stage_size();
  const int first = block * stage_lanes, count = lanes_of(block);
  scratch.step.setZero();
  scratch.product.setZero();
  for (int lane = 0; lane < count; ++lane) {
    auto step = scratch.step.col(lane);
    step.head(np) = direction.step.parameters;
    step.segment(np, nu) = direction.step.controls.col(first + lane);
    if (first + lane + 1 < layout_.stage_count) step.segment(np + nu, nu) = direction.step.rates.col(first + lane);
    step.tail(layout_.state_count) = direction.step.states.col(first + lane);
  }
  // Only the upper triangle of H is stored: each entry off the diagonal counts twice.
  for (int column = 0; column < size; ++column) {
    const LaneBlock x = load(scratch.step, column);
    LaneBlock sum = load(scratch.product, column);
    for (int e = layout_.hessian.outerIndexPtr()[column]; e < layout_.hessian.outerIndexPtr()[column + 1]; ++e) {
      const int row = layout_.hessian.innerIndexPtr()[e];
      const LaneBlock h = load(values.hessian, e);
      sum += h * load(scratch.step, row);
      if (row != column) store(scratch.product, row, load(scratch.product, row) + h * x);
    }
    store(scratch.product, column, sum);
  }
  const int first_state = np + 2 * nu;
  for (std::size_t j = 0; j < layout_.rated_states.size(); ++j)
    for (int lane = 0; lane < count; ++lane)
      scratch.product(first_state + layout_.rated_states[j], lane) +=
          state_rate_product(quadratic, state_rates_step_, int(j), first + lane);
  curvatures_[block] = scratch.product.cwiseProduct(scratch.step).sum();
  auto shift = [&](int begin, const Eigen::VectorXd& diagonal) {
    for (int i = 0; i < int(diagonal.size()); ++i) scratch.product.row(begin + i) += diagonal[i] * scratch.step.row(begin + i);
  };
  shift(0, quadratic.parameter_shift);
  shift(np, quadratic.control_shift);
  shift(np + nu, quadratic.rate_shift);
  largest_[block] = scratch.product.lpNorm<Eigen::Infinity>();
  scratch.product += values.gradient;
  for (std::size_t j = 0; j < layout_.rated_states.size(); ++j)
    for (int lane = 0; lane < count; ++lane)
      scratch.product(first_state + layout_.rated_states[j], lane) += state_rate_gradient(quadratic, int(j), first + lane);
}

// C_s^T lambda = -product; then C_p^T lambda and C_u^T lambda are added to the product's other parts.
void StageRecovery::find_state_multipliers(const StageDerivatives& values, int block, StagedMultipliers& multipliers,
                                           Scratch& scratch) {
  const int np = layout_.parameter_count, nu = layout_.control_count, ns = layout_.state_count;
  const int first = block * stage_lanes, count = lanes_of(block);
  const StagePattern &by_parameters = layout_.parameters_jacobian, &by_controls = layout_.controls_jacobian;
  auto lambda = scratch.work.topRows(ns);
  lambda = -scratch.product.bottomRows(ns);
  factors_.solve_transposed(block, lambda.data(), scratch.work.data() + ns * stage_lanes);
  multipliers.states.middleCols(first, count) = lambda.leftCols(count);
  auto add_transposed = [&](const StagePattern& pattern, const StageLanes& entries, int begin) {
    for (int column = 0; column < int(pattern.cols()); ++column)
      for (int e = pattern.outerIndexPtr()[column]; e < pattern.outerIndexPtr()[column + 1]; ++e)
        scratch.product.row(begin + column) += entries.row(e).cwiseProduct(lambda.row(pattern.innerIndexPtr()[e]));
  };
  add_transposed(by_parameters, values.parameters_jacobian, 0);
  add_transposed(by_controls, values.controls_jacobian, np);
  parameter_terms_.middleCols(first, count) = scratch.product.topRows(np).leftCols(count);
  control_terms_.middleCols(first, count) = scratch.product.middleRows(np, nu).leftCols(count);
  const int rates = std::min(count, layout_.stage_count - 1 - first);
  if (rates > 0) multipliers.rates.middleCols(first, rates) = scratch.product.middleRows(np + nu, nu).leftCols(rates);
}

// Sums of the terms in p from the last stage back give the multipliers of p_(k+1) = p_k. What is left at the first stage is
// balanced by the bounds, whose multipliers are known already, and by the rows of p: least squares by the normal equations.
void StageRecovery::find_parameter_multipliers(const StagedQuadratic& quadratic, StagedMultipliers& multipliers) {
  const int last = layout_.stage_count - 1;
  multipliers.parameters_equal.col(last - 1) = -parameter_terms_.col(last);
  for (int k = last - 1; k >= 1; --k)
    multipliers.parameters_equal.col(k - 1) = multipliers.parameters_equal.col(k) - parameter_terms_.col(k);
  const Eigen::MatrixXd& jacobian = quadratic.parameter_rows_jacobian;
  auto& rows = multipliers.parameter_constraints;
  for (Eigen::Index i = 0; i < rows.size(); ++i) {
    rows[i] = jacobian.row(i).dot(multipliers.parameters_equal.col(0) - parameter_terms_.col(0));
    if (layout_.has_bounds()) rows[i] -= jacobian.row(i).dot(multipliers.parameter_bounds);
    for (Eigen::Index j = 0; j < rows.size(); ++j) row_products_(i, j) = jacobian.row(i).dot(jacobian.row(j));
  }
  if (!factor_cholesky(row_products_)) return;
  solve_lower(row_products_, rows);
  solve_lower_transposed(row_products_, rows);
}

// The multiplier of |q|^2 = 1 balances the part of the terms along q.
void StageRecovery::find_quaternion_multipliers(const StagedQuadratic& quadratic, StagedMultipliers& multipliers) const {
  const int last = layout_.stage_count - 1;
  for (std::size_t n = 0; n < layout_.control_quaternions.size(); ++n)
    for (int k = 0; k <= last; ++k) {
      const int place = layout_.control_quaternions[n];
      const Eigen::Vector4d q = quadratic.point.controls.col(k).segment<4>(place);
      Eigen::Vector4d term = control_terms_.col(k).segment<4>(place);
      if (k > 0) term += multipliers.rates.col(k - 1).segment<4>(place) / layout_.time_step;
      if (k < last) term -= multipliers.rates.col(k).segment<4>(place) / layout_.time_step;
      multipliers.control_quaternions(Eigen::Index(n), k) = -q.dot(term) / (2 * q.squaredNorm());
    }
}

// Two steps of the power method on (C_s^T C_s)^-1, from a fixed vector that is unlikely to be orthogonal to the wanted one.
double StageRecovery::smallest_singular_value() {
  const int ns = layout_.state_count;
  for_each_block(layout_.block_count(), [&](int block) {
    WorkspacePool<Scratch>::Lease scratch(scratch_);
    auto x = scratch->work.topRows(ns);
    double* work = scratch->work.data() + ns * stage_lanes;
    for (int i = 0; i < ns; ++i) x.row(i).setConstant(1 + 0.5 * std::sin(1.0 + i));
    Eigen::Array<double, 1, stage_lanes> largest = Eigen::Array<double, 1, stage_lanes>::Zero();
    for (int iteration = 0; iteration < 2; ++iteration) {
      for (int lane = 0; lane < stage_lanes; ++lane) x.col(lane).normalize();
      factors_.solve_transposed(block, x.data(), work);
      factors_.solve(block, x.data(), work);
      for (int lane = 0; lane < stage_lanes; ++lane) largest[lane] = x.col(lane).norm();
    }
    smallest_[block] = 1 / std::sqrt(largest.head(lanes_of(block)).maxCoeff());
  });
  return smallest_.minCoeff();
}

}  // namespace holo
