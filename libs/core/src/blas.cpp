#include "blas.h"

#include <sys/mman.h>

#include <cstddef>
#include <mutex>

#include "holo/core/error.h"

// LAPACK and OpenBLAS: their headers are not in the include path of every distribution.
extern "C" void openblas_set_num_threads(int threads);
extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);

namespace holo {

namespace {

constexpr std::size_t work_area = std::size_t{128} << 20;  // bytes, of OpenBLAS on this processor

bool has_room() {
  void* room = mmap(nullptr, work_area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, work_area);
  return true;
}

// A call that takes the work area, whatever kernels there are.
void take_work_area() {
  const int one = 1;
  double matrix = 1;
  int info = 0;
  dpotrf_("L", &one, &matrix, &one, &info);
}

}  // namespace

void prepare_blas() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (!has_room())
      throw Error(
          Failure::environment,
          "out of memory: OpenBLAS needs a work area of 128 MiB, and the limit on the address space (ulimit -v) leaves less. "
          "Raise it");
    openblas_set_num_threads(1);
    take_work_area();
  });
  openblas_set_num_threads(1);  // whatever else the program has done
}

}  // namespace holo
