#pragma once
// Counts what the process asks of the C library's allocator, C libraries included but for OpenBLAS: some of its kernels (those
// for SkylakeX) take and return memory in every call, which no caller can change. Include it in one file of an executable.
// Other files of the executable read the count through allocation_count.h.

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "allocation_count.h"

namespace holo::test {

// Where OpenBLAS lies in memory; empty where it is not linked, and before it was looked for.
struct AddressRange {
  std::uintptr_t begin = 0, end = 0;
  bool holds(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) >= begin && reinterpret_cast<std::uintptr_t>(address) < end;
  }
};

inline int take_openblas(dl_phdr_info* object, std::size_t, void* result) {
  if (object->dlpi_name == nullptr || std::strstr(object->dlpi_name, "libopenblas") == nullptr) return 0;
  auto& range = *static_cast<AddressRange*>(result);
  range.begin = UINTPTR_MAX;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    if (object->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const std::uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
    range.begin = std::min(range.begin, begin);
    range.end = std::max(range.end, begin + object->dlpi_phdr[i].p_memsz);
  }
  return 1;
}

inline AddressRange find_openblas() {
  AddressRange range;
  dl_iterate_phdr(take_openblas, &range);
  return range;
}

inline const AddressRange openblas = find_openblas();

inline void count_allocation(const void* caller) {
  if (!openblas.holds(caller)) allocation_count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace holo::test

#if !defined(HOLO_ADDRESS_SANITIZER) && !defined(HOLO_THREAD_SANITIZER)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);

__attribute__((visibility("default"))) void* malloc(std::size_t size) {
  holo::test::count_allocation(__builtin_return_address(0));
  return __libc_malloc(size);
}
__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t size) {
  holo::test::count_allocation(__builtin_return_address(0));
  return __libc_calloc(count, size);
}
__attribute__((visibility("default"))) void* realloc(void* pointer, std::size_t size) {
  holo::test::count_allocation(__builtin_return_address(0));
  return __libc_realloc(pointer, size);
}
}
#endif
