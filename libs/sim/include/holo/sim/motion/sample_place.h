#pragma once
// The place of a time among samples that are taken at equal steps from time 0 on.

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace holo {

// The value at the time is (1 - share) sample[number] + share sample[next]: linear between samples, constant after the last
// one.
struct SamplePlace {
  std::ptrdiff_t number = 0, next = 0;
  double share = 0;
};

// count >= 1; time and step [s], step > 0. Times that are multiples of the step up to rounding are those of the samples
// themselves.
inline SamplePlace place_among_samples(std::ptrdiff_t count, double step, double time) {
  const double at = std::clamp(time / step, 0.0, static_cast<double>(count - 1));
  const double nearest = std::round(at);
  const double from = std::abs(at - nearest) <= 1e-9 * std::max(1.0, nearest) ? nearest : std::floor(at);
  const auto number = static_cast<std::ptrdiff_t>(from);
  return {number, std::min(number + 1, count - 1), from == nearest ? 0 : at - from};
}

}  // namespace holo
