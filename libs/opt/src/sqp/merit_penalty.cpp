#include "sqp/merit_penalty.h"

#include <algorithm>

namespace holo {

namespace {

constexpr double smallest_ratio = 1.1, largest_ratio = 20, ratio = 1.5;  // to the largest multiplier
constexpr int iterations_between_falls = 5;
constexpr double no_violation = 1e-10;  // sum of constraints below which rounding decides

}  // namespace

void MeritPenalty::update(double largest, double slope, double curvature, double constraint_sum) {
  ++iterations_since_fall_;
  if (value_ < smallest_ratio * largest) {
    value_ = ratio * largest;
  } else if (value_ > largest_ratio * largest && iterations_since_fall_ >= iterations_between_falls) {
    value_ = ratio * largest;
    iterations_since_fall_ = 0;
  }
  if (constraint_sum > no_violation)
    value_ = std::max(value_, (slope + 0.5 * std::max(curvature, 0.0)) / (0.5 * constraint_sum));
}

}  // namespace holo
