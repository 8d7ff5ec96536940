#pragma once
// The median of measured times. Not their minimum: processors change their clock within a run, and one turn at a higher clock
// would decide a ratio.

#include <algorithm>
#include <vector>

namespace holo {

// Of an even number of values the mean of the two in the middle. values: at least one, none NaN.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace holo
