// Checks the limit on the address space (ulimit -v) before any library is initialized.
//
// OpenBLAS starts a thread for every processor but one when it is loaded, and each thread allocates work memory. A thread that
// gets none asks again without end, and the process can neither work nor end. A check in main() is too late: this code runs
// before the initialization of libraries.

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "holo/core/numerics/blas_memory.h"

namespace {

constexpr std::size_t other_needs = std::size_t{16} << 20;  // bytes, of a thread of OpenBLAS: its stack
constexpr long most_threads = 64;                           // of Debian's OpenBLAS

// The number that an environment variable gives, 0 where it gives none. The C library's own functions are not ready yet.
long number_in(char** environment, const char* name) {
  const std::size_t length = std::strlen(name);
  for (; *environment != nullptr; ++environment) {
    if (std::strncmp(*environment, name, length) != 0 || (*environment)[length] != '=') continue;
    long number = 0;
    for (const char* digit = *environment + length + 1; *digit >= '0' && *digit <= '9' && number < 100000; ++digit)
      number = 10 * number + (*digit - '0');
    return number;
  }
  return 0;
}

long threads_of_openblas(char** environment) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  long threads = sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 1;
  for (const char* name : {"OMP_NUM_THREADS", "GOTO_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    if (const long asked = number_in(environment, name); asked > 0) threads = std::min(threads, asked);
  return std::clamp(threads, 1L, most_threads);
}

[[maybe_unused]] void require_address_space(int, char**, char** environment) {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const std::size_t needed = static_cast<std::size_t>(threads_of_openblas(environment)) * (holo::blas_work_area + other_needs);
  if (holo::has_address_space(needed)) return;
  static constexpr char text[] =
      "holo: out of memory: the limit on the address space (ulimit -v) is too low for OpenBLAS, which takes 144 MiB for each "
      "of its threads when the program starts. Raise the limit, or set OPENBLAS_NUM_THREADS=1\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, sizeof text - 1);
  _exit(1);
}

#ifndef HOLO_ADDRESS_SANITIZER  // which would have to run before, and needs no limit
[[gnu::section(".preinit_array"), gnu::used]] void (*const run_before_libraries)(int, char**, char**) = require_address_space;
#endif

}  // namespace
