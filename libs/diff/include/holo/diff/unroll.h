#pragma once
// Loops over coefficients, written out by the front end: with constant indices the small arrays of a number become registers
// early. A loop that the optimizer unrolls later leaves them in memory, with stores that are read back at another width.

#include <utility>

#include "holo/core/host_device.h"

namespace holo::detail {

inline constexpr int largest_unrolled = 16;

// f(first), ..., f(first + count - 1).
template <int first, int count, class F>
HOLO_INLINE constexpr void unroll(F f) {
  if constexpr (count > largest_unrolled) {
    for (int i = first; i < first + count; ++i) f(i);
  } else {
    [&]<int... i>(std::integer_sequence<int, i...>) HOLO_INLINE_LAMBDA { (f(first + i), ...); }
    (std::make_integer_sequence<int, count>());
  }
}

}  // namespace holo::detail
