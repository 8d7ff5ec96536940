#pragma once
// Places of the panels of an elimination plan in the memory of a factor. The same for all systems of a batch.

#include <cstddef>
#include <vector>

#include "block_tridiagonal/elimination_plan.h"
#include "block_tridiagonal/frontal_panel.h"

namespace holo {

// The panel of a block has its own rows, then those of its left neighbor and those of its right one, where it has them.
struct PanelPlace {
  std::size_t offset = 0;
  int rows = 0, stride = 0;
  int left_row = -1, right_row = -1;  // the first of the neighbor's rows; -1: none
};

class PanelLayout {
 public:
  PanelLayout(EliminationPlan plan, int block_size);

  const EliminationPlan& plan() const { return plan_; }
  const PanelPlace& place(int block) const { return places_[std::size_t(block)]; }
  int block_size() const { return block_size_; }
  std::size_t entries() const { return entries_; }              // of all panels
  std::size_t largest_panel() const { return largest_panel_; }  // entries
  std::size_t most_chains() const { return most_chains_; }      // of a phase
  // The distance of columns, and the entries, of the block that a chain passes to a separator.
  int separator_stride() const { return panel_stride(padded_rows(block_size_)); }
  std::size_t separator_entries() const { return std::size_t(separator_stride()) * std::size_t(block_size_); }
  const Elimination& elimination_of(int block) const {
    return plan_.eliminations[std::size_t(plan_.position[std::size_t(block)])];
  }
  bool is_before(int block, int other) const { return plan_.position[std::size_t(block)] < plan_.position[std::size_t(other)]; }

 private:
  EliminationPlan plan_;
  std::vector<PanelPlace> places_;  // [block]
  int block_size_;
  std::size_t entries_ = 0, largest_panel_ = 0, most_chains_ = 0;
};

}  // namespace holo
