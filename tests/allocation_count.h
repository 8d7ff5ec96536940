#pragma once
// The number of allocations of the process, in an executable of which one file includes allocation_counter.h.

#include <atomic>

namespace holo::test {

inline std::atomic<long> allocation_count{0};

// The sanitizers bring their own allocator, and nothing is counted.
#if defined(HOLO_ADDRESS_SANITIZER) || defined(HOLO_THREAD_SANITIZER)
inline constexpr bool counts_allocations = false;
#else
inline constexpr bool counts_allocations = true;
#endif

}  // namespace holo::test
