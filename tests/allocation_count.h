#pragma once
// The number of allocations of the process, in an executable of which one file includes allocation_counter.h.

#include <atomic>
#include <new>

namespace holo::test {

inline std::atomic<long> allocation_count{0};

// The sanitizers bring their own allocator, and nothing is counted.
#if defined(HOLO_ADDRESS_SANITIZER) || defined(HOLO_THREAD_SANITIZER)
inline constexpr bool counts_allocations = false;
#else
inline constexpr bool counts_allocations = true;
#endif

// Whether an allocation is counted. Of `new` and of containers a compiler may leave out what nobody uses, but not of this call.
inline bool an_allocation_counts() {
  const long before = allocation_count;
  ::operator delete(::operator new(1000));
  return allocation_count > before;
}

}  // namespace holo::test
