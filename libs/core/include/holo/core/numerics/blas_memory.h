#pragma once
// The memory that OpenBLAS takes beside what it computes with. Needs nothing but the operating system: it may be asked before
// any library begins.

#include <sys/mman.h>

#include <cstddef>

namespace holo {

inline constexpr std::size_t blas_work_area = std::size_t{128} << 20;  // bytes, of each thread

// Whether the limit on the address space (ulimit -v) leaves so many bytes.
inline bool has_address_space(std::size_t bytes) {
  void* room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, bytes);
  return true;
}

}  // namespace holo
