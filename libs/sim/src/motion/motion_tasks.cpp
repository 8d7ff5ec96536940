#include "holo/sim/motion/motion_tasks.h"

#include <algorithm>
#include <string>

#include "holo/core/error.h"

namespace holo {

std::vector<MotionTask> motion_tasks(const std::vector<int>& beginnings, int instant_count) {
  std::vector<MotionTask> tasks;
  int first = 0;
  const auto add = [&](int end) {
    if (end <= first)
      throw Error(Failure::input, "task " + std::to_string(tasks.size() + 1) + " of a motion would begin at instant " +
                                      std::to_string(first) + " and end before instant " + std::to_string(end) +
                                      "; each needs an instant at least");
    tasks.push_back({first, end - first});
    first = end;
  };
  for (const int beginning : beginnings) add(beginning);
  add(instant_count);
  return tasks;
}

bool has_rate(const std::vector<int>& beginnings, int instant_count, int instant) {
  return instant + 1 < instant_count && !std::binary_search(beginnings.begin(), beginnings.end(), instant + 1);
}

}  // namespace holo
