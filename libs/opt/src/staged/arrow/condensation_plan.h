#pragma once
// Plan of a block's condensation for one order of pivots: which entries of the Hessian meet which columns of [P U c]. Columns
// that reach the same states are solved and multiplied in groups of four.

#include <array>
#include <vector>

#include "staged/arrow/lane_lu.h"

namespace holo {

// Indices of the entries of a layout's Hessian, by the unknowns that they couple. Columns of [P U c] are p, u, then the affine
// one.
struct HessianEntries {
  struct Entry {
    int value;  // among the Hessian's values
    int row, column;
  };
  std::vector<std::vector<Entry>> states;          // [state]: of that row of the full symmetric ss block; column: state
  std::vector<std::vector<Entry>> columns_states;  // [state]: column: p or u
  std::vector<Entry> parameters;                   // pp, row <= column
  std::vector<Entry> parameters_controls;          // pu: row p, column u
  std::vector<Entry> controls;                     // uu, row <= column
  std::vector<Entry> rates_columns;                // pv, uv: row v, column p or u
  std::vector<Entry> rates;                        // vv, row <= column
  std::vector<Entry> rates_states;                 // vs: row v, column state

  explicit HessianEntries(const StagedLayout& layout);
};

struct CondensationPlan {
  static constexpr int none = -1;
  static constexpr int panel_rows = 32;

  struct Group {
    std::array<int, 4> columns;  // of [P U c], `none` where there are fewer
    LaneLu::Reach reach;
    std::vector<int> states;        // that it reaches, ascending
    std::vector<int> pivots;        // of these
    std::vector<int> panel_starts;  // where among `states` each panel begins
    int offset = 0;                 // of its first entry, in groups of four lanes
  };
  std::vector<Group> groups;         // by ascending number of states
  std::vector<int> positions;        // [group][state]: where in the group's solution, in groups of four lanes, else `none`
  std::vector<int> column_position;  // 4 * group + position in the group
  int solution_length = 0;           // of all groups, in groups of four lanes
  int state_count = 0;

  CondensationPlan(const StagedLayout& layout, const LaneLu& lu);
  static int pair_number(int a, int b) { return b * (b + 1) / 2 + a; }  // of groups a <= b
  int padded_column_count() const { return 4 * int(groups.size()); }
  int position(int group, int state) const { return positions[std::size_t(group * state_count + state)]; }
};

}  // namespace holo
