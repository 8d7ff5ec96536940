#pragma once
// What of the machine decides the last bits of a result: the processor, the kernels that the BLAS chose for it, and the
// libraries that calculations and compressed files go through.

#include <filesystem>
#include <string>
#include <vector>

namespace holo {

std::string processor_name();  // "AMD EPYC 7763 64-Core Processor", "unknown" where the system does not tell

// The processor that OpenBLAS's kernels are made for: "Haswell", "SkylakeX", ... OPENBLAS_CORETYPE overrides its choice.
std::string blas_kernel();

struct LoadedLibrary {
  std::string name;  // "libopenblas.so.0"
  std::filesystem::path path;
  std::string build;  // the linker's digest of its content (build ID); content_hash of the file where it has none
};

// The BLAS, the sparse solvers, the threads' library, the compilers' and the C library's parts, zlib; as they are loaded now,
// sorted by name.
std::vector<LoadedLibrary> numerical_libraries();

}  // namespace holo
