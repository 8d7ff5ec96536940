#pragma once
// Tasks: several motions of one mechanism with a common design, one after the other on one axis of knots. No loss observes the
// rate between the last knot of a task and the first of the next, so that minimization over this rate decouples the tasks, and
// the problem is the sum of one problem [Maloisel2023] Eq 2 for each task.

#include <vector>

namespace holo {

struct MotionTask {
  int first = 0, count = 1;  // knots
  int end() const { return first + count; }
};

// `beginnings` are the first knots of all tasks but the first, ascending. Throws Error(input) for a task without a knot.
std::vector<MotionTask> motion_tasks(const std::vector<int>& beginnings, int knot_count);

// Whether the knot has a rate: another knot of the same task follows.
bool has_rate(const std::vector<int>& beginnings, int knot_count, int knot);

}  // namespace holo
