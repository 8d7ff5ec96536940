#include "block_tridiagonal/panel_layout.h"

#include <algorithm>
#include <utility>

namespace holo {

PanelLayout::PanelLayout(EliminationPlan plan, int block_size)
    : plan_(std::move(plan)), places_(std::size_t(plan_.blocks)), block_size_(block_size) {
  const int block_rows = padded_rows(block_size);
  // Panels lie in the order in which they are eliminated.
  for (const Elimination& e : plan_.eliminations) {
    PanelPlace& place = places_[std::size_t(e.block)];
    place.offset = entries_;
    place.rows = block_rows;
    if (e.left >= 0) place.left_row = std::exchange(place.rows, place.rows + block_rows);
    if (e.right >= 0) place.right_row = std::exchange(place.rows, place.rows + block_rows);
    place.stride = panel_stride(place.rows);
    const std::size_t entries = std::size_t(place.stride) * std::size_t(block_size);
    entries_ += entries;
    largest_panel_ = std::max(largest_panel_, entries);
  }
  for (const EliminationPhase& phase : plan_.phases)
    most_chains_ = std::max(most_chains_, std::size_t(phase.end - phase.begin));
  if (plan_.updates.empty()) most_chains_ = 0;  // nothing is passed to separators
}

}  // namespace holo
