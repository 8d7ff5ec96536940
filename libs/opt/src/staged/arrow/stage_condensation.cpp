#include "staged/arrow/stage_condensation.h"

#include <algorithm>

#include "staged/arrow/lane_access.h"

namespace holo {

CondensedStages::CondensedStages(const StagedLayout& layout) : parameters_size((layout.parameter_count + 1 + 7) / 8 * 8) {
  const int nu = layout.control_count, columns = nu * layout.stage_count;
  controls_parameters.setZero(parameters_size, columns);
  controls.setZero(nu, columns);
  rates_parameters.setZero(parameters_size, columns);
  rates_controls.setZero(nu, columns);
  rates.setZero(nu, columns);
  parameters.setZero(parameters_size, parameters_size * layout.block_count());
}

StageCondensation::StageCondensation(const StagedLayout& layout, StateFactors& factors)
    : layout_(layout), factors_(factors), entries_(layout), stages_(layout) {}

int StageCondensation::lanes_of(int block) const { return std::min(lanes, layout_.stage_count - block * lanes); }

// Scratch memory is large enough for the largest of all plans.
std::unique_ptr<StageCondensation::Scratch> StageCondensation::make_scratch() const {
  int solution = 0, groups = 0;
  for (const auto& plan : plans_) {
    solution = std::max(solution, plan->solution_length);
    groups = std::max(groups, int(plan->groups.size()));
  }
  auto scratch = std::make_unique<Scratch>();
  scratch->right_sides.setZero(4 * layout_.state_count, lanes);
  scratch->solution.setZero(4 * solution, lanes);
  scratch->products.setZero(CondensationPlan::panel_rows * 4 * groups, lanes);
  scratch->sums.setZero(16 * CondensationPlan::pair_number(0, groups), lanes);
  scratch->rates.setZero(layout_.control_count * 4 * groups, lanes);
  scratch->vectors.setZero(4 * layout_.state_count, lanes);
  return scratch;
}

void StageCondensation::condense(const StagedQuadratic& quadratic) {
  // A plan depends on the order of pivots only. New orders are rare, so that plans and scratch memory are made again only
  // then.
  if (int(plans_.size()) < factors_.plan_count()) {
    while (int(plans_.size()) < factors_.plan_count())
      plans_.push_back(std::make_unique<CondensationPlan>(layout_, factors_.plan(int(plans_.size()))));
    scratch_ = std::make_unique<WorkspacePool<Scratch>>([this] { return make_scratch(); });
    scratch_->fill();
  }
  for_each_block(layout_.block_count(), [&](int block) {
    WorkspacePool<Scratch>::Lease scratch(*scratch_);
    condense_block(quadratic, block, *scratch);
  });
}

void StageCondensation::condense_block(const StagedQuadratic& quadratic, int block, Scratch& scratch) {
  const StageDerivatives& values = quadratic.blocks[std::size_t(block)];
  const int number = factors_.plan_of(block);
  const CondensationPlan& plan = *plans_[std::size_t(number)];
  // The steps for one block of stages: solve for [P U c] in groups of columns; form L_ss [P U c] + L_s(p u 1) in panels of
  // rows that stay in the cache, and multiply each panel by [P U c]^T; add the couplings L_(p u)s [P U c]; store the sums and
  // the rates' terms; add the model's own terms in p, u and v.
  for (const auto& group : plan.groups) solve_group(values, block, factors_.plan(number), group, scratch);
  scratch.sums.topRows(16 * CondensationPlan::pair_number(0, int(plan.groups.size()))).setZero();
  for (int panel = 0; panel * CondensationPlan::panel_rows < layout_.state_count; ++panel) {
    multiply_panel(values, plan, panel, scratch);
    add_panel(plan, panel, scratch);
  }
  add_couplings(values, plan, scratch);
  store_sums(plan, block, scratch);
  store_rates(values, plan, block, scratch);
  add_own_terms(values, block);
}

// The right-hand sides of [P U c] = -C_s^-1 [C_p C_u C]: calls put(c, row, values, entry) for each entry of each of the group's
// columns c, where -values(entry, lane) is the right-hand side in `row`.
template <class Put>
void StageCondensation::for_each_entry(const StageDerivatives& values, const CondensationPlan::Group& group,
                                       const Put& put) const {
  const int np = layout_.parameter_count, nu = layout_.control_count;
  for (int c = 0; c < 4; ++c) {
    const int column = group.columns[std::size_t(c)];
    if (column == CondensationPlan::none) continue;
    if (column == np + nu) {
      for (int row = 0; row < layout_.state_count; ++row) put(c, row, values.residual, row);
      continue;
    }
    const bool is_parameter = column < np;
    const StagePattern& pattern = is_parameter ? layout_.parameters_jacobian : layout_.controls_jacobian;
    const StageLanes& entries = is_parameter ? values.parameters_jacobian : values.controls_jacobian;
    const int j = is_parameter ? column : column - np;
    for (int e = pattern.outerIndexPtr()[j]; e < pattern.outerIndexPtr()[j + 1]; ++e)
      put(c, pattern.innerIndexPtr()[e], entries, e);
  }
}

// Columns of [P U c], at the states that they reach. Lanes whose pivots do not suit the block's order of pivots are solved one
// by one with KLU.
void StageCondensation::solve_group(const StageDerivatives& values, int block, const LaneLu& lu,
                                    const CondensationPlan::Group& group, Scratch& scratch) {
  // Right-hand sides are scattered in the order of pivots, solved four columns at a time, and gathered at the states that
  // they reach.
  bool any_lanes = false;
  for (int lane = 0; lane < lanes_of(block); ++lane) any_lanes |= factors_.klu(block * lanes + lane) == nullptr;
  if (any_lanes) {
    for (int pivot : group.reach.pivots)
      for (int c = 0; c < 4; ++c) store(scratch.right_sides, 4 * pivot + c, LaneBlock(0));
    for_each_entry(values, group, [&](int c, int row, const StageLanes& from, int entry) {
      store(scratch.right_sides, 4 * lu.pivot_of_row(row) + c, load(from, entry) * LaneBlock(-lu.row_scale(row)));
    });
    lu.solve_four(factors_.lane_factor(block), group.reach, scratch.right_sides.data());
    for (std::size_t i = 0; i < group.pivots.size(); ++i)
      for (int c = 0; c < 4; ++c)
        store(scratch.solution, 4 * (group.offset + int(i)) + c, load(scratch.right_sides, 4 * group.pivots[i] + c));
  }
  for (int lane = 0; lane < lanes_of(block); ++lane)
    if (factors_.klu(block * lanes + lane) != nullptr) solve_group_by_klu(values, block * lanes + lane, group, scratch);
}

void StageCondensation::solve_group_by_klu(const StageDerivatives& values, int stage, const CondensationPlan::Group& group,
                                           Scratch& scratch) {
  const int ns = layout_.state_count, lane = stage % lanes;
  KluFactor& klu = *factors_.klu(stage);
  double* right_sides = klu.right_sides();
  std::fill(right_sides, right_sides + 4 * ns, 0.0);
  for_each_entry(values, group,
                 [&](int c, int row, const StageLanes& from, int entry) { right_sides[c * ns + row] = -from(entry, lane); });
  klu.solve(4);
  for (std::size_t i = 0; i < group.states.size(); ++i)
    for (int c = 0; c < 4; ++c)
      scratch.solution(4 * (group.offset + int(i)) + c, lane) = klu.right_sides()[c * ns + group.states[i]];
}

// L_ss [P U c] + L_s(p u 1), some rows.
void StageCondensation::multiply_panel(const StageDerivatives& values, const CondensationPlan& plan, int panel,
                                       Scratch& scratch) {
  const int np = layout_.parameter_count, nu = layout_.control_count, padded_columns = plan.padded_column_count();
  const int begin = panel * CondensationPlan::panel_rows,
            end = std::min(begin + CondensationPlan::panel_rows, layout_.state_count);
  const double* hessian = values.hessian.data();
  const double* solution = scratch.solution.data();
  for (int i = begin; i < end; ++i) {
    // Row i of L_ss times all columns, group by group. Columns that do not reach the entry's state have no contribution.
    const auto& row = entries_.states[std::size_t(i)];
    for (int g = 0; g < int(plan.groups.size()); ++g) {
      const int* positions = plan.positions.data() + g * plan.state_count;
      LaneBlock sum[4] = {0, 0, 0, 0};
      for (const auto& entry : row) {
        const int position = positions[entry.column];
        if (position < 0) continue;
        const LaneBlock h = LaneBlock::load(hessian + entry.value * lanes);
        for (int c = 0; c < 4; ++c) sum[c] += h * LaneBlock::load(solution + (4 * position + c) * lanes);
      }
      for (int c = 0; c < 4; ++c) store(scratch.products, (i - begin) * padded_columns + 4 * g + c, sum[c]);
    }
    const int first = (i - begin) * padded_columns;
    for (const auto& entry : entries_.columns_states[std::size_t(i)])
      add_to(scratch.products, first + plan.column_position[std::size_t(entry.column)], load(values.hessian, entry.value));
    add_to(scratch.products, first + plan.column_position[std::size_t(np + nu)],
           load(values.gradient, layout_.stage_size() - layout_.state_count + i));
  }
}

// Adds [P U c]^T times the panel's products, for pairs of groups; the group that reaches fewer states on the left.
void StageCondensation::add_panel(const CondensationPlan& plan, int panel, Scratch& scratch) {
  const int padded_columns = plan.padded_column_count(), first_row = panel * CondensationPlan::panel_rows;
  for (int a = 0; a < int(plan.groups.size()); ++a) {
    const auto& left = plan.groups[std::size_t(a)];
    const int begin = left.panel_starts[std::size_t(panel)], end = left.panel_starts[std::size_t(panel) + 1];
    if (begin == end) continue;
    const double* solution = scratch.solution.data() + 4 * left.offset * lanes;
    for (int b = a; b < int(plan.groups.size()); ++b) {
      // A 4 x 4 block of products of two groups stays in registers over all rows of the panel.
      double* to = scratch.sums.data() + 16 * CondensationPlan::pair_number(a, b) * lanes;
      const double* products = scratch.products.data() + 4 * b * lanes;
      LaneBlock sum[16];
      for (int c = 0; c < 16; ++c) sum[c] = LaneBlock::load(to + c * lanes);
      for (int i = begin; i < end; ++i) {
        const double* x = solution + 4 * i * lanes;
        const double* y = products + (left.states[std::size_t(i)] - first_row) * padded_columns * lanes;
        const LaneBlock y0 = LaneBlock::load(y), y1 = LaneBlock::load(y + lanes), y2 = LaneBlock::load(y + 2 * lanes),
                        y3 = LaneBlock::load(y + 3 * lanes);
        for (int c = 0; c < 4; ++c) {
          const LaneBlock xc = LaneBlock::load(x + c * lanes);
          sum[4 * c] += xc * y0;
          sum[4 * c + 1] += xc * y1;
          sum[4 * c + 2] += xc * y2;
          sum[4 * c + 3] += xc * y3;
        }
      }
      for (int c = 0; c < 16; ++c) sum[c].store(to + c * lanes);
    }
  }
}

// Adds L_(p u)s [P U c], and the states' gradient times [P U c]: what pairs have on the left so far.
void StageCondensation::add_couplings(const StageDerivatives& values, const CondensationPlan& plan, Scratch& scratch) {
  auto add_row = [&](int column, int state, LaneBlock h) {
    const int a = column / 4;
    for (int b = a; b < int(plan.groups.size()); ++b) {
      const int position = plan.position(b, state);
      if (position == CondensationPlan::none) continue;
      const int to = 16 * CondensationPlan::pair_number(a, b) + 4 * (column % 4);
      for (int c = 0; c < 4; ++c) add_to(scratch.sums, to + c, h * load(scratch.solution, 4 * position + c));
    }
  };
  const int affine = plan.column_position[std::size_t(layout_.parameter_count + layout_.control_count)];
  const int first = layout_.stage_size() - layout_.state_count;
  for (int state = 0; state < layout_.state_count; ++state) {
    for (const auto& entry : entries_.columns_states[std::size_t(state)])
      add_row(plan.column_position[std::size_t(entry.column)], state, load(values.hessian, entry.value));
    add_row(affine, state, load(values.gradient, first + state));
  }
}

namespace {

// A column of a matrix times a vector, in one lane.
template <class Vector>
double column_product(const StagePattern& pattern, const StageLanes& entries, int column, const Vector& vector, int lane) {
  double sum = 0;
  for (int e = pattern.outerIndexPtr()[column]; e < pattern.outerIndexPtr()[column + 1]; ++e)
    sum += entries(e, lane) * vector(pattern.innerIndexPtr()[e], lane);
  return sum;
}

}  // namespace

// With dc the change of c: L_us dc + U^T L_ss dc, where U^T z = -C_u^T C_s^-T z, the same of p, and L_vs dc.
void StageCondensation::change_residual(const StagedQuadratic& quadratic, const Eigen::MatrixXd& residual,
                                        Eigen::MatrixXd& control_change, Eigen::MatrixXd& rate_change,
                                        Eigen::MatrixXd& parameter_change) {
  const int np = layout_.parameter_count, nu = layout_.control_count, ns = layout_.state_count;
  control_change.setZero();
  rate_change.setZero();
  parameter_change.setZero();
  for_each_block(layout_.block_count(), [&](int block) {
    WorkspacePool<Scratch>::Lease scratch(*scratch_);
    const StageDerivatives& values = quadratic.blocks[std::size_t(block)];
    const int first = block * lanes, count = lanes_of(block);
    // dc = -C_s^-1 (residual - C), then z = L_ss dc, and C_s^-T z for the products with C_u and C_p.
    auto change = scratch->vectors.topRows(ns), product = scratch->vectors.middleRows(ns, ns);
    change.setZero();
    change.leftCols(count) = values.residual.leftCols(count) - residual.middleCols(first, count);
    factors_.solve(block, change.data(), scratch->vectors.data() + 2 * ns * lanes);
    for (int i = 0; i < ns; ++i) {
      product.row(i).setZero();
      for (const auto& entry : entries_.states[std::size_t(i)])
        product.row(i) += values.hessian.row(entry.value).cwiseProduct(change.row(entry.column));
    }
    factors_.solve_transposed(block, product.data(), scratch->vectors.data() + 2 * ns * lanes);
    for (int lane = 0; lane < count; ++lane) {
      for (int u = 0; u < nu; ++u)
        control_change(u, first + lane) -=
            column_product(layout_.controls_jacobian, values.controls_jacobian, u, product, lane);
      for (int p = 0; p < np; ++p)
        parameter_change(p, block) -= column_product(layout_.parameters_jacobian, values.parameters_jacobian, p, product, lane);
      for (int state = 0; state < ns; ++state)
        for (const auto& entry : entries_.columns_states[std::size_t(state)]) {
          const double value = values.hessian(entry.value, lane) * change(state, lane);
          if (entry.column < np)
            parameter_change(entry.column, block) += value;
          else
            control_change(entry.column - np, first + lane) += value;
        }
      for (const auto& entry : entries_.rates_states)
        rate_change(entry.row, first + lane) += values.hessian(entry.value, lane) * change(entry.column, lane);
    }
  });
}

}  // namespace holo
