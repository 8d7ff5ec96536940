#pragma once
// The build's support of graphics processors.

#include <string>

namespace holo {

// Whether the build uses the CUDA toolkit: HOLO_CUDA is not OFF, and the toolkit was found.
bool cuda_built();

// One line, which `holo --version` prints and the provenance of a run contains: "built without CUDA", "built with the CUDA
// toolkit 12.4.99; ...".
std::string device_summary();

}  // namespace holo
