#pragma once
// What this build knows of graphics processors.

#include <string>

namespace holo {

// Whether the build found the CUDA toolkit and was to use it (HOLO_CUDA).
bool cuda_built();

// One line for `holo --version` and provenance: "built without CUDA", "built with the CUDA toolkit 12.4.99; ...".
std::string device_summary();

}  // namespace holo
