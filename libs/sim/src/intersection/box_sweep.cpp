#include "intersection/box_sweep.h"

#include <algorithm>
#include <numeric>

namespace holo::intersections {
namespace {

bool boxes_overlap(const Box& a, const Box& b) {
  for (std::size_t i = 0; i < 3; ++i)
    if (a.upper[i] < b.lower[i] || b.upper[i] < a.lower[i]) return false;
  return true;
}

std::size_t longest_axis(std::span<const Box> first, std::span<const Box> second) {
  Box all = first.front();
  for (const auto& boxes : {first, second})
    for (const Box& box : boxes) all.include(box.lower.data()), all.include(box.upper.data());
  std::size_t longest = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (all.upper[i] - all.lower[i] > all.upper[longest] - all.lower[longest]) longest = i;
  return longest;
}

std::vector<int> sorted_by_lower(std::span<const Box> boxes, std::size_t axis) {
  std::vector<int> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return boxes[static_cast<std::size_t>(a)].lower[axis] < boxes[static_cast<std::size_t>(b)].lower[axis];
  });
  return order;
}

// Removes the boxes that the sweep has passed, and calls visit(box) for those that overlap with `with`.
template <class Visit>
void visit_overlaps(std::vector<int>& active, std::span<const Box> boxes, const Box& with, std::size_t axis, Visit visit) {
  std::erase_if(active, [&](int box) { return boxes[static_cast<std::size_t>(box)].upper[axis] < with.lower[axis]; });
  for (const int box : active)
    if (boxes_overlap(boxes[static_cast<std::size_t>(box)], with)) visit(box);
}

}  // namespace

void Box::include(const double* point) {
  for (std::size_t i = 0; i < 3; ++i) {
    lower[i] = std::min(lower[i], point[i]);
    upper[i] = std::max(upper[i], point[i]);
  }
}

std::vector<std::pair<int, int>> overlapping_boxes(std::span<const Box> first, std::span<const Box> second) {
  std::vector<std::pair<int, int>> pairs;
  if (first.empty() || second.empty()) return pairs;
  const std::size_t axis = longest_axis(first, second);
  const std::vector<int> order_a = sorted_by_lower(first, axis), order_b = sorted_by_lower(second, axis);
  std::vector<int> active_a, active_b;
  for (std::size_t i = 0, j = 0; i < order_a.size() || j < order_b.size();) {
    const bool next_is_a =
        j == order_b.size() || (i < order_a.size() && first[static_cast<std::size_t>(order_a[i])].lower[axis] <=
                                                          second[static_cast<std::size_t>(order_b[j])].lower[axis]);
    if (next_is_a) {
      const int a = order_a[i++];
      visit_overlaps(active_b, second, first[static_cast<std::size_t>(a)], axis, [&](int b) { pairs.emplace_back(a, b); });
      active_a.push_back(a);
    } else {
      const int b = order_b[j++];
      visit_overlaps(active_a, first, second[static_cast<std::size_t>(b)], axis, [&](int a) { pairs.emplace_back(a, b); });
      active_b.push_back(b);
    }
  }
  return pairs;
}

}  // namespace holo::intersections
