#pragma once
// Counts what the whole process asks of the C library's allocator, C libraries included. Include it in one file of an
// executable. Under the sanitizers, which bring their own allocator, it counts nothing: see `counts_allocations`.

#include <atomic>
#include <cstddef>

namespace holo::test {

inline std::atomic<long> allocation_count{0};

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool counts_allocations = false;
#else
inline constexpr bool counts_allocations = true;
#endif

}  // namespace holo::test

#ifndef __SANITIZE_ADDRESS__
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);

__attribute__((visibility("default"))) void* malloc(std::size_t size) {
  holo::test::allocation_count.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t size) {
  holo::test::allocation_count.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
__attribute__((visibility("default"))) void* realloc(void* pointer, std::size_t size) {
  holo::test::allocation_count.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(pointer, size);
}
}
#endif
