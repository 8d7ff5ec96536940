#pragma once
// Identifies the parts of the machine on which the last bits of a result depend: the processor, the kernels that OpenBLAS chose
// for it, and the libraries for numerics and compression.

#include <filesystem>
#include <string>
#include <vector>

namespace holo {

std::string processor_name();  // "AMD EPYC 7763 64-Core Processor"; "unknown" if the system does not state it

// The processor type of OpenBLAS's present kernels: "Haswell", "SkylakeX", ... The environment variable OPENBLAS_CORETYPE
// overrides OpenBLAS's choice.
std::string blas_kernel();

struct LoadedLibrary {
  std::string name;  // "libopenblas.so.0"
  std::filesystem::path path;
  std::string build;  // the linker's digest of its content (build ID), or else content_hash of the file
};

// The loaded libraries of BLAS, sparse solvers, threads, compiler runtime, C and zlib, sorted by name.
std::vector<LoadedLibrary> numerical_libraries();

}  // namespace holo
