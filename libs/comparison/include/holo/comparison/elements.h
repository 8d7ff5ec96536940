#pragma once
// The elements of the benchmark: inputs and outputs of kernels, in consecutive records as in a simulation.

#include <cstddef>
#include <memory>
#include <vector>

namespace holo::comparison {

// The input of a kernel for one tetrahedron: 24 doubles, three cache lines.
struct alignas(64) ElementRecord {
  double vertices[12];     // m, vertex-major
  double inverse_rest[9];  // 1/m, row-major, row a-1: gradient of vertex a's shape function
  double volume;           // m^3, at rest
  double unused[2];
};

inline constexpr int gradient_entries = 12;           // d(volume psi)/dx of an element
inline constexpr int hessian_entries = 144;           // d2(volume psi)/dx2, the full matrix
inline constexpr int symmetric_hessian_entries = 80;  // its upper half by rows, 78, filled up to whole registers

struct AlignedDelete {
  void operator()(double* p) const;
};
using AlignedDoubles = std::unique_ptr<double[], AlignedDelete>;
AlignedDoubles aligned_doubles(std::size_t count);  // zeroed, aligned to 64 bytes

// `count` tetrahedra, deformed by up to `strain` (the same seed gives the same elements), none inverted.
std::vector<ElementRecord> random_elements(std::size_t count, double strain);

}  // namespace holo::comparison
