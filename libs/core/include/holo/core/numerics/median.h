#pragma once
// The median of measured times. Not their minimum: processors change their clock within a run, and one turn at a higher clock
// would decide a ratio.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace holo {

// The median; for an even number of values the mean of the two in the middle. values: at least one, none NaN.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// The median of values[i] / others[i], the times of two codes in turn i: a clock or a load that changes between turns acts on
// both times of a turn. The ratio of the medians compares different states of the machine where it changes in half of the
// turns. Both of the same size, at least one; others: none 0.
inline double median_ratio(std::vector<double> values, const std::vector<double>& others) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= others[i];
  return median(std::move(values));
}

}  // namespace holo
