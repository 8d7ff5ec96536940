#pragma once
// Several motions of one mechanism, each a task of its own: they stand one behind the other on one axis of knots and share
// the design. At a task's first knot nothing ties the controls to the knot before: the rate across is a number that no
// loss looks at, so minimizing over it lets the task's controls go, and the whole is the sum of the tasks. [Maloisel2023] Eq 2
// for each.

#include <vector>

namespace holo {

struct MotionTask {
  int first = 0, count = 1;  // knots
  int end() const { return first + count; }
};

// `beginnings` are the first knots of all tasks but the first, ascending. Throws Error(input) for a task without a knot.
std::vector<MotionTask> motion_tasks(const std::vector<int>& beginnings, int knot_count);

// Whether another knot of the same task follows, so that there is a rate.
bool has_rate(const std::vector<int>& beginnings, int knot_count, int knot);

}  // namespace holo
