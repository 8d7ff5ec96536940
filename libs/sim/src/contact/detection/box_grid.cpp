#include "contact/detection/box_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holo {

GridLevels::GridLevels(const Box& bounds, double cell) : origin_(bounds.lower) {
  const double range = bounds.extent();
  double largest = range;
  for (std::size_t i = 0; i < 3; ++i) largest = std::max({largest, std::abs(bounds.lower[i]), std::abs(bounds.upper[i])});
  margin_ = 8 * std::numeric_limits<double>::epsilon() * largest;
  // Indices of cells have 19 bits. Any size is right; one of 1 serves boxes that are all one point.
  cell_ = std::max({cell, 2 * range / largest_cell, std::numeric_limits<double>::min()});
  double size = cell_;
  for (double& inverse : inverse_size_) inverse = 1 / size, size *= 2;
}

int GridLevels::level_of(const Box& box) const {
  const double ratio = box.extent() / cell_;
  if (!(ratio > 1)) return 0;
  int exponent;
  const double fraction = std::frexp(ratio, &exponent);  // ratio = fraction * 2^exponent, 1/2 <= fraction < 1
  return std::min(fraction == 0.5 ? exponent - 1 : exponent, count - 1);
}

void BoxGrid::build(const GridLevels& levels, const std::vector<Box>& boxes, const std::vector<int>& entries) {
  // At least 8 slots, so that the cells of a row that a box visits are different slots.
  const std::size_t slots = std::bit_ceil(2 * entries.size() + 8);
  mask_ = slots - 1;
  begin_.assign(slots + 1, 0);
  keys_.resize(entries.size());
  cells_.resize(entries.size());
  boxes_.resize(entries.size());
  largest_extent_.fill(-1);
  highest_level_ = -1;

  // Counting sort by slots: count, sum up to the ends, and fill each slot from its end, which leaves its beginning.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Box& box = boxes[static_cast<std::size_t>(entries[i])];
    const int level = levels.level_of(box);
    double& extent = largest_extent_[static_cast<std::size_t>(level)];
    extent = std::max(extent, box.extent());
    highest_level_ = std::max(highest_level_, level);
    keys_[i] = key_of(level, levels.cell_of(box.lower[0], 0, level), levels.cell_of(box.lower[1], 1, level),
                      levels.cell_of(box.lower[2], 2, level));
    ++begin_[slot_of(keys_[i])];
  }
  for (std::size_t slot = 1; slot < begin_.size(); ++slot) begin_[slot] += begin_[slot - 1];
  for (std::size_t i = entries.size(); i-- > 0;) {
    const std::uint32_t place = --begin_[slot_of(keys_[i])];
    cells_[place] = {keys_[i], entries[i]};
    boxes_[place] = boxes[static_cast<std::size_t>(entries[i])];
  }
}

}  // namespace holo
