#include "memory.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>

// Declared in sanitizer/allocator_interface.h, which GCC does not install.
extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*of_malloc)(const volatile void*, std::size_t),
                                              void (*of_free)(const volatile void*));
std::size_t __sanitizer_get_allocated_size(const volatile void* pointer);
int __lsan_do_recoverable_leak_check(void);

// One allocation above this ends the process at once, before the machine is short of memory. The sanitizer looks for the
// function in the executable.
__attribute__((visibility("default"))) const char* __asan_default_options() {
  return "max_allocation_size_mb=256:quarantine_size_mb=16";
}
}

namespace holo::fuzz {

namespace {

std::atomic<std::int64_t> allocated{0}, largest{0};  // [bytes]
std::int64_t before_measurement = 0;

constexpr std::int64_t most = std::int64_t{1} << 30;  // of many allocations: the process is ended [bytes]

[[noreturn]] void end_process() {
  constexpr std::string_view text = "finding: more than 1 GB of memory at once\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
  _exit(1);
}

void count_malloc(const volatile void*, std::size_t size) {
  const std::int64_t now = allocated.fetch_add(static_cast<std::int64_t>(size)) + static_cast<std::int64_t>(size);
  std::int64_t before = largest.load();
  while (now > before && !largest.compare_exchange_weak(before, now)) {
  }
  if (now - before_measurement > most) end_process();
}

void count_free(const volatile void* pointer) {
  if (pointer != nullptr) allocated.fetch_sub(static_cast<std::int64_t>(__sanitizer_get_allocated_size(pointer)));
}

}  // namespace

MemoryMeasurement::MemoryMeasurement() {
  [[maybe_unused]] static const int installed = __sanitizer_install_malloc_and_free_hooks(count_malloc, count_free);
  before_measurement = allocated.load();
  largest.store(before_measurement);
}

std::size_t MemoryMeasurement::peak() const {
  return static_cast<std::size_t>(std::max<std::int64_t>(0, largest.load() - before_measurement));
}

bool has_leaks() { return __lsan_do_recoverable_leak_check() != 0; }

}  // namespace holo::fuzz
