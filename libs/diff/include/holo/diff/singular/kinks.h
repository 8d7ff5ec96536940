#pragma once
// Counts the places where a derivative type had to choose a side: an evaluation that touched none of them is smooth at its
// point. And the evaluations that gave no ordinary derivative, which the drivers find (holo/diff/drivers.h). One set of
// counters for each thread. HOLO_NO_KINK_COUNTERS compiles the first two out.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "holo/core/host_device.h"

namespace holo {

struct KinkCounters {
  std::uint64_t kinks = 0;       // abs at 0; min, max, clamp or a comparison at a tie: the derivative may be one-sided
  std::uint64_t jumps = 0;       // floor, ceil, round or sign at a step: there is no derivative
  std::uint64_t singular = 0;    // evaluations with a value or derivative that is not finite
  std::uint64_t infeasible = 0;  // evaluations with an infinite value
};

inline KinkCounters& kink_counters() {
  thread_local KinkCounters counters;
  return counters;
}

namespace detail {

// `hit` is a bool, or a mask of lanes, which counts once for all of its lanes.
template <class Condition>
HOLO_FN constexpr void count(std::uint64_t KinkCounters::*counter, const Condition& hit) {
#if !defined(HOLO_NO_KINK_COUNTERS) && !defined(__CUDA_ARCH__)  // a device thread has no counters of its own
  if (std::is_constant_evaluated()) return;
  if constexpr (std::same_as<Condition, bool>) {
    if (hit) [[unlikely]]
      ++(kink_counters().*counter);
  } else {
    if (any(hit)) [[unlikely]]
      ++(kink_counters().*counter);
  }
#else
  (void)counter, (void)hit;
#endif
}

// Whether a comparison is that of a number with itself, as x != x asks for a NaN: no choice.
template <class A, class B>
HOLO_FN constexpr bool is_one_object(const A& a, const B& b) {
  if constexpr (std::same_as<A, B>)
    return &a == &b;
  else
    return false;
}

}  // namespace detail
}  // namespace holo
