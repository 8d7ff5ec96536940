#include "holo/core/numerics/blas.h"

#include <mutex>

#include "holo/core/error.h"
#include "holo/core/numerics/blas_memory.h"

// LAPACK and OpenBLAS: their headers are not in the include path of every distribution.
extern "C" int openblas_get_num_threads();
extern "C" void openblas_set_num_threads(int threads);
extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);

namespace holo {

namespace {

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
    if (!has_address_space(blas_work_area))
      throw Error(
          Failure::environment,
          "out of memory: OpenBLAS needs a work area of 128 MiB, and the limit on the address space (ulimit -v) leaves less. "
          "Raise it");
    openblas_set_num_threads(1);
    take_work_area();
  });
  // Whatever else the program has done; setting it is not safe beside another thread's calls.
  if (openblas_get_num_threads() != 1) openblas_set_num_threads(1);
}

}  // namespace holo
