#include "staged/arrow/condensation_plan.h"

#include <algorithm>
#include <numeric>

namespace holo {

HessianEntries::HessianEntries(const StagedLayout& layout)
    : states(std::size_t(layout.state_count)), columns_states(std::size_t(layout.state_count)) {
  const int np = layout.parameter_count, nu = layout.control_count;
  const int rates_begin = np + nu, states_begin = np + 2 * nu;
  for (int column = 0; column < layout.stage_size(); ++column)
    for (int e = layout.hessian.outerIndexPtr()[column]; e < layout.hessian.outerIndexPtr()[column + 1]; ++e) {
      const int row = layout.hessian.innerIndexPtr()[e];
      if (column >= states_begin) {
        const int state = column - states_begin;
        if (row >= states_begin) {
          const int other = row - states_begin;
          states[std::size_t(state)].push_back({e, state, other});
          if (other != state) states[std::size_t(other)].push_back({e, other, state});
        } else if (row >= rates_begin) {
          rates_states.push_back({e, row - rates_begin, state});
        } else {
          columns_states[std::size_t(state)].push_back({e, state, row});
        }
      } else if (column >= rates_begin) {
        (row >= rates_begin ? rates : rates_columns)
            .push_back(row >= rates_begin ? Entry{e, row - rates_begin, column - rates_begin}
                                          : Entry{e, column - rates_begin, row});
      } else if (column >= np) {
        (row >= np ? controls : parameters_controls).push_back({e, row >= np ? row - np : row, column - np});
      } else {
        parameters.push_back({e, row, column});
      }
    }
}

namespace {

// Rows of C that column `column` of [P U c] begins with.
std::vector<int> nonzero_rows(const StagedLayout& layout, int column) {
  const int np = layout.parameter_count, nu = layout.control_count;
  if (column == np + nu) {
    std::vector<int> all(static_cast<std::size_t>(layout.state_count));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const StagePattern& pattern = column < np ? layout.parameters_jacobian : layout.controls_jacobian;
  const int j = column < np ? column : column - np;
  return {pattern.innerIndexPtr() + pattern.outerIndexPtr()[j], pattern.innerIndexPtr() + pattern.outerIndexPtr()[j + 1]};
}

// The columns of [P U c] by the pivots that they reach, fewest first: columns that reach the same pivots, or nearly so, come
// next to each other.
std::vector<int> ordered_columns(const StagedLayout& layout, const LaneLu& lu) {
  const int count = layout.parameter_count + layout.control_count + 1;
  std::vector<std::vector<int>> reached;
  reached.reserve(static_cast<std::size_t>(count));
  for (int c = 0; c < count; ++c) reached.push_back(lu.reach(nonzero_rows(layout, c)).pivots);
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const auto &left = reached[std::size_t(a)], &right = reached[std::size_t(b)];
    return left.size() != right.size() ? left.size() < right.size() : left < right;
  });
  return order;
}

// A group of columns is solved for all pivots that one of them reaches; its states are listed in ascending order.
CondensationPlan::Group make_group(const StagedLayout& layout, const LaneLu& lu, const std::array<int, 4>& columns) {
  CondensationPlan::Group group;
  group.columns = columns;
  std::vector<int> all_rows;
  for (int column : columns) {
    if (column == CondensationPlan::none) continue;
    const std::vector<int> rows = nonzero_rows(layout, column);
    all_rows.insert(all_rows.end(), rows.begin(), rows.end());
  }
  group.reach = lu.reach(all_rows);
  std::vector<std::pair<int, int>> states;
  for (int pivot : group.reach.pivots) states.emplace_back(lu.column(pivot), pivot);
  std::sort(states.begin(), states.end());
  for (const auto& [state, pivot] : states) {
    group.states.push_back(state);
    group.pivots.push_back(pivot);
  }
  constexpr int panel = CondensationPlan::panel_rows;
  for (int row = 0; row < layout.state_count + panel; row += panel)
    group.panel_starts.push_back(int(std::lower_bound(group.states.begin(), group.states.end(), row) - group.states.begin()));
  return group;
}

}  // namespace

CondensationPlan::CondensationPlan(const StagedLayout& layout, const LaneLu& lu) : state_count(layout.state_count) {
  const std::vector<int> order = ordered_columns(layout, lu);
  const int count = int(order.size());
  for (int begin = 0; begin < count; begin += 4) {
    std::array<int, 4> columns;
    for (int c = 0; c < 4; ++c) columns[std::size_t(c)] = begin + c < count ? order[std::size_t(begin + c)] : none;
    groups.push_back(make_group(layout, lu, columns));
  }
  // Of a pair of groups, the one that reaches fewer states is the left factor of the products.
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.states.size() < b.states.size(); });
  column_position.resize(order.size());
  positions.assign(groups.size() * std::size_t(state_count), none);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].offset = solution_length;
    for (std::size_t i = 0; i < groups[g].states.size(); ++i)
      positions[g * std::size_t(state_count) + std::size_t(groups[g].states[i])] = solution_length + int(i);
    solution_length += int(groups[g].states.size());
    for (int c = 0; c < 4; ++c)
      if (const int column = groups[g].columns[std::size_t(c)]; column != none)
        column_position[std::size_t(column)] = 4 * int(g) + c;
  }
}

}  // namespace holo
