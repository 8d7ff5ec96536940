#include "holo/comparison/elements.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <random>

#include "holo/diff/matrix.h"
#include "holo/diff/solid/tetrahedron_chain.h"

namespace holo::comparison {

void AlignedDelete::operator()(double* p) const { std::free(p); }

AlignedDoubles aligned_doubles(std::size_t count) {
  // aligned_alloc requires a multiple of the alignment.
  const std::size_t bytes = (count * sizeof(double) + 63) / 64 * 64;
  auto* memory = static_cast<double*>(std::aligned_alloc(64, bytes));
  if (memory == nullptr) throw std::bad_alloc();
  std::fill(memory, memory + bytes / sizeof(double), 0.0);
  return AlignedDoubles(memory);
}

std::vector<ElementRecord> random_elements(std::size_t count, double strain) {
  // Rest shapes and deformation gradients are perturbed identities, so that no element is inverted.
  std::mt19937_64 random(42);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto matrix = [&](double diagonal, double size) {
    Matrix3<double> m{};
    for (int k = 0; k < 9; ++k) m[k] = (k % 4 == 0 ? diagonal : 0) + size * uniform(random);
    return m;
  };
  std::vector<ElementRecord> elements(count);
  for (ElementRecord& element : elements) {
    const Matrix3<double> rest = matrix(1, 0.3), F = matrix(1, strain), inverse_rest = inverse(rest), deformed = F * rest;
    for (int k = 0; k < 9; ++k) element.inverse_rest[k] = inverse_rest[k];
    element.volume = determinant(rest) / 6;
    for (int i = 0; i < 3; ++i) {
      const double origin = uniform(random);
      element.vertices[i] = origin;
      for (int a = 1; a < 4; ++a) element.vertices[3 * a + i] = origin + deformed(i, a - 1);
    }
    std::fill(std::begin(element.unused), std::end(element.unused), 0.0);
  }
  return elements;
}

}  // namespace holo::comparison
