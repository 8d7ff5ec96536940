#include "holo/gpu/device.h"

namespace holo {

#ifdef HOLO_CUDA_VERSION

bool cuda_built() { return true; }

std::string device_summary() {
  return "built with the CUDA toolkit " HOLO_CUDA_VERSION "; all computations run on the CPU, the library holds no device code";
}

#else

bool cuda_built() { return false; }

std::string device_summary() { return "built without CUDA; all computations run on the CPU"; }

#endif

}  // namespace holo
