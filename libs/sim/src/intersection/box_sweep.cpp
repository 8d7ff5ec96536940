#include "intersection/box_sweep.h"

#include <algorithm>
#include <numeric>

namespace holo::intersections {
namespace {

std::size_t longest_axis(std::span<const Box> boxes) {
  Box all = boxes.front();
  for (const Box& box : boxes) all.include(box.lower.data()), all.include(box.upper.data());
  std::size_t longest = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (all.upper[i] - all.lower[i] > all.upper[longest] - all.lower[longest]) longest = i;
  return longest;
}

// A box with the axis of the sweep first: sorted ones lie behind each other in memory.
struct SweptBox {
  double lower, upper, lower_a, upper_a, lower_b, upper_b;
  int number;
};

std::vector<SweptBox> sorted_along(std::span<const Box> boxes, std::size_t axis) {
  const std::size_t a = (axis + 1) % 3, b = (axis + 2) % 3;
  std::vector<SweptBox> sorted;
  sorted.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i];
    sorted.push_back(
        {box.lower[axis], box.upper[axis], box.lower[a], box.upper[a], box.lower[b], box.upper[b], static_cast<int>(i)});
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const SweptBox& p, const SweptBox& q) { return p.lower != q.lower ? p.lower < q.lower : p.number < q.number; });
  return sorted;
}

}  // namespace

void Box::include(const double* point) {
  for (std::size_t i = 0; i < 3; ++i) {
    lower[i] = std::min(lower[i], point[i]);
    upper[i] = std::max(upper[i], point[i]);
  }
}

// A box overlaps along the axis with those after it that begin before it ends.
std::vector<std::pair<int, int>> overlapping_boxes(std::span<const Box> boxes) {
  std::vector<std::pair<int, int>> pairs;
  if (boxes.empty()) return pairs;
  const std::vector<SweptBox> sorted = sorted_along(boxes, longest_axis(boxes));
  for (auto box = sorted.begin(); box != sorted.end(); ++box)
    for (auto other = box + 1; other != sorted.end() && other->lower <= box->upper; ++other)
      if (other->lower_a <= box->upper_a && box->lower_a <= other->upper_a && other->lower_b <= box->upper_b &&
          box->lower_b <= other->upper_b)
        pairs.emplace_back(box->number, other->number);
  return pairs;
}

}  // namespace holo::intersections
