#include "holo/sim/motion/motion_tasks.h"

#include <algorithm>
#include <string>

#include "holo/core/error.h"

namespace holo {

std::vector<MotionTask> motion_tasks(const std::vector<int>& beginnings, int knot_count) {
  std::vector<MotionTask> tasks;
  int first = 0;
  const auto add = [&](int end) {
    if (end <= first)
      throw Error(Failure::input, "task " + std::to_string(tasks.size() + 1) + " of a motion would begin at knot " +
                                      std::to_string(first) + " and end before knot " + std::to_string(end) +
                                      "; each needs a knot at least");
    tasks.push_back({first, end - first});
    first = end;
  };
  for (const int beginning : beginnings) add(beginning);
  add(knot_count);
  return tasks;
}

bool has_rate(const std::vector<int>& beginnings, int knot_count, int knot) {
  return knot + 1 < knot_count && !std::binary_search(beginnings.begin(), beginnings.end(), knot + 1);
}

}  // namespace holo
