// Stores the sums of the condensation, and adds the model's terms in p, u and v, which need no condensation.
#include <algorithm>

#include "staged/arrow/lane_access.h"
#include "staged/arrow/stage_condensation.h"

namespace holo {

namespace {

// The sum over the first lanes; those past the last stage are undefined.
HOLO_INLINE double sum_of(const double* values, int count) {
  if (count == stage_lanes) return sum(LaneBlock::load(values));
  double result = 0;
  for (int lane = 0; lane < count; ++lane) result += values[lane];
  return result;
}

}  // namespace

void StageCondensation::store_sums(const CondensationPlan& plan, int block, const Scratch& scratch) {
  const int np = layout_.parameter_count, nu = layout_.control_count, count = lanes_of(block),
            parameters_size = stages_.parameters_size;
  const int first = block * lanes;
  double* parameters = stages_.parameters.data() + std::ptrdiff_t(parameters_size) * parameters_size * block;
  auto row_of = [&](int column) { return column == np + nu ? np : column; };  // of the parameters' block, for p and 1
  auto is_control = [&](int column) { return column >= np && column < np + nu; };
  for (int b = 0; b < int(plan.groups.size()); ++b)
    for (int a = 0; a <= b; ++a)
      for (int i = 0; i < 4; ++i)
        for (int j = a == b ? i : 0; j < 4; ++j) {
          int x = plan.groups[std::size_t(a)].columns[std::size_t(i)], y = plan.groups[std::size_t(b)].columns[std::size_t(j)];
          if (x == CondensationPlan::none || y == CondensationPlan::none) continue;
          const double* value = scratch.sums.data() + (16 * CondensationPlan::pair_number(a, b) + 4 * i + j) * lanes;
          if (is_control(x)) std::swap(x, y);  // only y may still be a control where x is not
          if (!is_control(y)) {
            const int row = std::max(row_of(x), row_of(y)), column = std::min(row_of(x), row_of(y));
            parameters[row + parameters_size * column] = sum_of(value, count);
          } else if (!is_control(x)) {
            for (int lane = 0; lane < count; ++lane)
              stages_.controls_parameters(row_of(x), y - np + nu * (first + lane)) = value[lane];
          } else {
            for (int lane = 0; lane < count; ++lane) {
              stages_.controls(x - np, y - np + nu * (first + lane)) = value[lane];
              stages_.controls(y - np, x - np + nu * (first + lane)) = value[lane];
            }
          }
        }
}

// Rates couple with states in few problems.
void StageCondensation::store_rates(const StageDerivatives& values, const CondensationPlan& plan, int block, Scratch& scratch) {
  const int np = layout_.parameter_count, nu = layout_.control_count, padded_columns = plan.padded_column_count(),
            count = lanes_of(block);
  const int columns = nu * count, first = nu * block * lanes;
  stages_.rates_parameters.middleCols(first, columns).setZero();
  stages_.rates_controls.middleCols(first, columns).setZero();
  stages_.rates.middleCols(first, columns).setZero();
  if (!entries_.rates_states.empty()) {
    scratch.rates.topRows(nu * padded_columns).setZero();
    for (const auto& entry : entries_.rates_states)
      for (int g = 0; g < int(plan.groups.size()); ++g)
        if (const int position = plan.position(g, entry.column); position != CondensationPlan::none)
          for (int c = 0; c < 4; ++c)
            add_to(scratch.rates, entry.row * padded_columns + 4 * g + c,
                   load(values.hessian, entry.value) * load(scratch.solution, 4 * position + c));
    for (int v = 0; v < nu; ++v)
      for (int column = 0; column <= np + nu; ++column)
        for (int lane = 0; lane < count; ++lane) {
          const double value = scratch.rates(v * padded_columns + plan.column_position[std::size_t(column)], lane);
          if (column >= np && column < np + nu)
            stages_.rates_controls(v, first + nu * lane + column - np) = value;
          else
            stages_.rates_parameters(std::min(column, np), first + nu * lane + v) = value;
        }
  }
  for (int lane = 0; lane < count; ++lane) {
    const int offset = first + nu * lane;
    for (const auto& entry : entries_.rates_columns) {
      const double value = values.hessian(entry.value, lane);
      if (entry.column < np)
        stages_.rates_parameters(entry.column, offset + entry.row) += value;
      else
        stages_.rates_controls(entry.row, offset + entry.column - np) += value;
    }
    for (const auto& entry : entries_.rates) {
      stages_.rates(entry.row, offset + entry.column) = values.hessian(entry.value, lane);
      stages_.rates(entry.column, offset + entry.row) = values.hessian(entry.value, lane);
    }
    stages_.rates_parameters.row(np).segment(offset, nu) += values.gradient.col(lane).segment(np + nu, nu).transpose();
  }
}

// The model's own terms in p and u.
void StageCondensation::add_own_terms(const StageDerivatives& values, int block) {
  const int np = layout_.parameter_count, nu = layout_.control_count, parameters_size = stages_.parameters_size,
            count = lanes_of(block);
  double* parameters = stages_.parameters.data() + std::ptrdiff_t(parameters_size) * parameters_size * block;
  for (const auto& entry : entries_.parameters)
    parameters[entry.column + parameters_size * entry.row] += sum_of(values.hessian.data() + entry.value * lanes, count);
  for (int p = 0; p < np; ++p) parameters[np + parameters_size * p] += sum_of(values.gradient.data() + p * lanes, count);
  for (int lane = 0; lane < count; ++lane) {
    const int offset = nu * (block * lanes + lane);
    for (const auto& entry : entries_.parameters_controls)
      stages_.controls_parameters(entry.row, offset + entry.column) += values.hessian(entry.value, lane);
    for (const auto& entry : entries_.controls) {
      stages_.controls(entry.row, offset + entry.column) += values.hessian(entry.value, lane);
      if (entry.row != entry.column) stages_.controls(entry.column, offset + entry.row) += values.hessian(entry.value, lane);
    }
    stages_.controls_parameters.row(np).segment(offset, nu) += values.gradient.col(lane).segment(np, nu).transpose();
  }
}

}  // namespace holo
