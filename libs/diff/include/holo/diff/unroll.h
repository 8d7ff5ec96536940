#pragma once
// Loops that the front end writes out: with constant indices the small arrays of a number become registers early. A loop that
// the optimizer unrolls later leaves them in memory, with stores that are read back at another width.

#include <type_traits>
#include <utility>

#include "holo/core/host_device.h"

namespace holo::detail {

inline constexpr int largest_unrolled = 16;

// f(first), ..., f(first + count - 1), with int indices; a long loop stays a loop.
template <int first, int count, class F>
HOLO_INLINE constexpr void unroll(F f) {
  if constexpr (count > largest_unrolled) {
    for (int i = first; i < first + count; ++i) f(i);
  } else {
    [&]<int... i>(std::integer_sequence<int, i...>) HOLO_INLINE_LAMBDA { (f(first + i), ...); }
    (std::make_integer_sequence<int, count>());
  }
}

template <class F, int... i>
HOLO_FN HOLO_INLINE constexpr void unroll_indices(F& f, std::integer_sequence<int, i...>) {
  (f(std::integral_constant<int, i>{}), ...);
}
// f(integral constant) for 0 ... N-1, for indices that are template arguments; all are written out. Mark f HOLO_INLINE_LAMBDA:
// a compiler left to itself calls large lambdas, and every value between them then goes through memory.
template <int N, class F>
HOLO_FN HOLO_INLINE constexpr void unroll(F&& f) {
  unroll_indices(f, std::make_integer_sequence<int, N>{});
}

}  // namespace holo::detail
