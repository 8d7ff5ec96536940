#pragma once
// Pairs of boxes that overlap, by sorting along an axis and sweeping over it.

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace holo::intersections {

// Closed.
struct Box {
  std::array<double, 3> lower, upper;

  explicit Box(const double* point) : lower{point[0], point[1], point[2]}, upper(lower) {}
  void include(const double* point);
};

// The pairs of boxes that have a common point, each pair once, in an order that depends on the boxes alone.
std::vector<std::pair<int, int>> overlapping_boxes(std::span<const Box> boxes);

}  // namespace holo::intersections
