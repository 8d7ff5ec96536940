#pragma once
// The Hessian of an energy of stretches with its negative eigenvalues set to 0: in its blocks, before it is put together.

#include "holo/diff/tensor/principal_stretches.h"

namespace holo {

namespace detail {

// Turns a and the vectors so that a(p, q) vanishes.
template <class S>
HOLO_INLINE void rotate_symmetric(Matrix3<S>& a, Matrix3<S>& vectors, int p, int q) {
  const int k = 3 - p - q;
  const S difference = a(q, q) - a(p, p), twice = S(2.0) * a(p, q);
  const S size = abs(difference) + sqrt(difference * difference + twice * twice);
  const S t = select(difference < S(0.0), S(-twice), twice) / max(size, S(1e-300));
  const S c = S(1.0) / sqrt(S(1.0) + t * t), s = t * c;
  const S pk = a(p, k), qk = a(q, k), change = t * a(p, q);
  a(p, p) = a(p, p) - change;
  a(q, q) = a(q, q) + change;
  a(p, q) = a(q, p) = S(0.0);
  a(p, k) = a(k, p) = c * pk - s * qk;
  a(q, k) = a(k, q) = s * pk + c * qk;
  for (int i = 0; i < 3; ++i) {
    const S vp = vectors(i, p), vq = vectors(i, q);
    vectors(i, p) = c * vp - s * vq;
    vectors(i, q) = s * vp + c * vq;
  }
}

}  // namespace detail

// Whether any eigenvalue was negative by more than rounding, 1e-13 of the largest; for lanes, of each. What is not finite stays
// so.
template <class S>
HOLO_INLINE auto project_positive_semidefinite(StretchBlocks<S>& blocks) {
  S lowest(0.0), size(0.0);
  const auto note = [&](const S& eigenvalue) HOLO_INLINE_LAMBDA {
    lowest = min(lowest, eigenvalue);
    size = max(size, abs(eigenvalue));
  };
  for (int pair = 0; pair < 3; ++pair) {
    note(blocks.symmetric[pair]);
    note(blocks.skew[pair]);
    blocks.symmetric[pair] = max(blocks.symmetric[pair], S(0.0));
    blocks.skew[pair] = max(blocks.skew[pair], S(0.0));
  }
  Matrix3<S> a{}, vectors = identity3<S>();
  S largest(1e-280);
  for (int i = 0; i < 6; ++i) largest = max(largest, abs(blocks.stretch[i]));
  const S inverse = S(1.0) / largest;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a(i, j) = inverse * blocks.stretch[detail::stretch_index[i][j]];
  constexpr int max_sweeps = 8;
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    if (!any(a(0, 1) * a(0, 1) + a(0, 2) * a(0, 2) + a(1, 2) * a(1, 2) > S(1e-32))) break;
    detail::rotate_symmetric(a, vectors, 0, 1);
    detail::rotate_symmetric(a, vectors, 0, 2);
    detail::rotate_symmetric(a, vectors, 1, 2);
  }
  for (int p = 0; p < 3; ++p) {  // take the negative part off, so that positive lanes stay as they are
    const S eigenvalue = largest * a(p, p), lift = max(-eigenvalue, S(0.0));
    note(eigenvalue);
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        S& entry = blocks.stretch[detail::stretch_index[i][j]];
        entry = entry + lift * vectors(i, p) * vectors(j, p);
      }
  }
  return lowest < S(-1e-13) * size;
}

}  // namespace holo
