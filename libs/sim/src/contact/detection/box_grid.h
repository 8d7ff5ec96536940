#pragma once
// A spatial hash of axis-aligned boxes, each in one cell.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace holo {

struct Box {
  std::array<double, 3> lower, upper;  // [m]

  double extent() const {
    double largest = 0;
    for (std::size_t i = 0; i < 3; ++i) largest = largest < upper[i] - lower[i] ? upper[i] - lower[i] : largest;
    return largest;
  }
  void include(const Box& other) {
    for (std::size_t i = 0; i < 3; ++i) {
      lower[i] = other.lower[i] < lower[i] ? other.lower[i] : lower[i];
      upper[i] = other.upper[i] > upper[i] ? other.upper[i] : upper[i];
    }
  }
  void enlarge(double margin) {
    for (std::size_t i = 0; i < 3; ++i) {
      lower[i] -= margin;
      upper[i] += margin;
    }
  }
  bool contains(const Box& other) const {
    int outside = 0;
    for (std::size_t i = 0; i < 3; ++i) outside += (other.lower[i] < lower[i]) + (other.upper[i] > upper[i]);
    return outside == 0;
  }
  // The sum in place of a conjunction avoids branches, which are hard to predict here.
  bool overlaps(const Box& other) const {
    int apart = 0;
    for (std::size_t i = 0; i < 3; ++i) apart += (lower[i] > other.upper[i]) + (other.lower[i] > upper[i]);
    return apart == 0;
  }
};

// The cells of level l have the size cell * 2^l. A box belongs to the first level whose cells are as large as it, and there to
// the cell of its lower corner. So the boxes of level l that overlap a box B have their lower corners between that of B, less
// the largest box of the level, and the upper corner of B: in at most three cells along each axis if B is not larger than
// those.
class GridLevels {
 public:
  // For boxes within `bounds`.
  GridLevels(const Box& bounds, double cell);

  int level_of(const Box& box) const;
  // Cell of a coordinate along an axis at a level, limited to the grid; monotone in the coordinate.
  std::uint64_t cell_of(double coordinate, std::size_t axis, int level) const {
    const double cells = (coordinate - origin_[axis]) * inverse_size_[static_cast<std::size_t>(level)];
    return cells > 0 ? static_cast<std::uint64_t>(cells < largest_cell ? cells : largest_cell) : 0;
  }
  double margin() const { return margin_; }  // above the rounding errors of sums of coordinates [m]

  static constexpr int count = 22;
  static constexpr double largest_cell = (1 << 19) - 1;

 private:
  std::array<double, 3> origin_;
  double cell_, margin_;
  std::array<double, count> inverse_size_;
};

class BoxGrid {
 public:
  // Puts boxes[i] of all i in `entries` into cells.
  void build(const GridLevels& levels, const std::vector<Box>& boxes, const std::vector<int>& entries);

  // Calls visit(entry) once for each entry of a level from `first_level` on whose box overlaps the given one, of a level up to
  // `first_level`.
  template <class Visit>
  void each_overlapping(const GridLevels& levels, const Box& box, int first_level, Visit visit) const {
    for (int level = first_level; level <= highest_level_; ++level)
      if (const double reach = largest_extent_[static_cast<std::size_t>(level)]; reach >= 0)
        visit_rows(range_of(levels, box, level, reach), [&](std::uint32_t i) {
          if (boxes_[i].overlaps(box)) visit(cells_[i].entry);
        });
  }

  // Calls visit(other) for entries of this grid whose boxes overlap that of `entry`, so that the calls of all entries give
  // each pair once: of two boxes, that of the lower level finds the other; at the same level that with the larger cell along z,
  // or, at the same one, the smaller entry.
  template <class Visit>
  void each_partner(const GridLevels& levels, const Box& box, int entry, Visit visit) const {
    const int level = levels.level_of(box);
    CellRange range = range_of(levels, box, level, largest_extent_[static_cast<std::size_t>(level)]);
    const std::uint64_t own = range.to[2] = levels.cell_of(box.lower[2], 2, level);
    visit_rows(range, [&](std::uint32_t i) {
      if ((cells_[i].entry > entry || cell_along_z(cells_[i].key) < own) && boxes_[i].overlaps(box)) visit(cells_[i].entry);
    });
    each_overlapping(levels, box, level + 1, visit);
  }

 private:
  struct Cell {
    std::uint64_t key;
    int entry;
  };
  struct CellRange {
    int level;
    std::array<std::uint64_t, 3> from, to;  // both included
  };
  static constexpr int bits = 19;  // of a cell's number along an axis
  static constexpr std::uint64_t lowest_bits = (std::uint64_t{1} << bits) - 1;

  // Level and cells of the axes in one number. A row of cells along x has all but the lowest bits.
  static std::uint64_t key_of(int level, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    return static_cast<std::uint64_t>(level) << 3 * bits | z << 2 * bits | y << bits | x;
  }
  static std::uint64_t cell_along_z(std::uint64_t key) { return key >> 2 * bits & lowest_bits; }
  // Cells of a row are neighbors in the table, so that their entries are neighbors in memory.
  std::size_t slot_of(std::uint64_t key) const {
    constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;
    return static_cast<std::size_t>(((key >> bits) * golden_ratio >> 32) + (key & lowest_bits)) & mask_;
  }

  // Cells of the lower corners of boxes of a level that overlap a box.
  CellRange range_of(const GridLevels& levels, const Box& box, int level, double reach) const {
    CellRange range{level, {}, {}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      range.from[axis] = levels.cell_of(box.lower[axis] - reach - levels.margin(), axis, level);
      range.to[axis] = levels.cell_of(box.upper[axis], axis, level);
    }
    return range;
  }

  // Calls visit(i) for the entries cells_[i] of a range. The slots of a row's cells may wrap around the end of the table.
  template <class Visit>
  void visit_rows(const CellRange& range, Visit visit) const {
    const std::size_t length = static_cast<std::size_t>(range.to[0] - range.from[0]) + 1, slots = mask_ + 1;
    for (std::uint64_t z = range.from[2]; z <= range.to[2]; ++z)
      for (std::uint64_t y = range.from[1]; y <= range.to[1]; ++y) {
        const std::uint64_t key = key_of(range.level, range.from[0], y, z);
        const std::size_t first = slot_of(key), end = first + length;
        visit_slots(key >> bits, begin_[first], begin_[end < slots ? end : slots], visit);
        if (end > slots) visit_slots(key >> bits, 0, begin_[end - slots], visit);
      }
  }

  // Other rows may have the same slots.
  template <class Visit>
  void visit_slots(std::uint64_t row, std::uint32_t begin, std::uint32_t end, Visit& visit) const {
    for (std::uint32_t i = begin; i < end; ++i)
      if (cells_[i].key >> bits == row) visit(i);
  }

  int highest_level_ = -1;
  std::array<double, GridLevels::count> largest_extent_;  // of the boxes of a level, negative: no boxes
  std::size_t mask_ = 0;
  std::vector<std::uint32_t> begin_;  // [slot] of cells_, and the end
  std::vector<Cell> cells_;           // by slots, within one as inserted
  std::vector<Box> boxes_;            // [entry of cells_]
  std::vector<std::uint64_t> keys_;   // [inserted] scratch
};

}  // namespace holo
