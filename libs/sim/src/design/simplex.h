#pragma once
// A linear tetrahedron in any scalar, such as positions with derivatives by parameters of a shape.

#include <array>
#include <vector>

#include "holo/diff/matrix.h"

namespace holo {

// Of a tetrahedron: its volume, and the gradients of its shape functions.
template <class S>
struct Simplex {
  S volume;
  Vector3<S> gradients[4];
};

template <class S>
Simplex<S> simplex_of(const std::vector<Vector3<S>>& X, const std::array<int, 4>& vertices) {
  const Vector3<S> a = X[std::size_t(vertices[1])] - X[std::size_t(vertices[0])],
                   b = X[std::size_t(vertices[2])] - X[std::size_t(vertices[0])],
                   c = X[std::size_t(vertices[3])] - X[std::size_t(vertices[0])];
  const S six_volumes = dot(a, cross(b, c));
  const S inverse = 1.0 / six_volumes;
  Simplex<S> result;
  result.volume = six_volumes / 6.0;
  result.gradients[1] = inverse * cross(b, c);
  result.gradients[2] = inverse * cross(c, a);
  result.gradients[3] = inverse * cross(a, b);
  for (int k = 0; k < 3; ++k)
    result.gradients[0][k] = -(result.gradients[1][k] + result.gradients[2][k] + result.gradients[3][k]);
  return result;
}

}  // namespace holo
