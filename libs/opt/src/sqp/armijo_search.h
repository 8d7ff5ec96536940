#pragma once
// Armijo's rule along a step of sequential quadratic programming.

#include <algorithm>

namespace holo {

// The merit function before the step.
struct MeritSlope {
  double merit = 0;
  double descent = 0;  // its slope along the full step
  double error = 0;    // of its value: a decrease below it cannot be asked for
};

// Halves the step from its longest fraction down until try_step(length, bound) takes it: whether the merit function there is at
// most `bound`, and the point may be taken. Returns the length, 0 where none was taken.
template <class TryStep>
double armijo_search(const MeritSlope& start, double longest, const TryStep& try_step) {
  constexpr double sufficient_decrease = 1e-4, shortest_step = 1e-6;
  for (double length = longest; length >= shortest_step; length /= 2) {
    const double bound = start.merit + sufficient_decrease * length * std::min(start.descent, 0.0) + start.error;
    if (try_step(length, bound)) return length;
  }
  return 0;
}

}  // namespace holo
