#pragma once
// Checks the address space for the work memory that OpenBLAS allocates for each thread. It calls the operating system alone, so
// that it can run before any library is initialized.

#include <sys/mman.h>

#include <cstddef>

namespace holo {

inline constexpr std::size_t blas_work_area = std::size_t{128} << 20;  // bytes for each thread

// Whether a mapping of `bytes` (> 0) fits within the limit on the address space (ulimit -v).
inline bool has_address_space(std::size_t bytes) {
  void* mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return false;
  munmap(mapping, bytes);
  return true;
}

}  // namespace holo
