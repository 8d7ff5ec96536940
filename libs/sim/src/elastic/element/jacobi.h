#pragma once
// Cyclic Jacobi eigen-decomposition of small symmetric matrices, one in each lane.

#include "holo/diff/lanes/lanes.h"

namespace holo {

struct LaneRotation {
  LaneBlock c, s;
};

// [Golub2013] section 8.5: the rotation by the smaller angle that annihilates the entry pq of [pp pq; pq qq]. Of a zero block
// the identity.
HOLO_INLINE LaneRotation annihilate(LaneBlock pp, LaneBlock pq, LaneBlock qq) {
  // With the tangent of twice the angle 2 pq/(qq - pp): c and s are proportional to |qq - pp| + root and +-2 pq.
  const LaneBlock difference = qq - pp, twice = pq + pq;
  const LaneBlock along = max(abs(difference) + sqrt(difference * difference + twice * twice), LaneBlock(1e-150));
  const LaneBlock inverse = LaneBlock(1.0) / sqrt(along * along + twice * twice);
  const LaneBlock across = twice * inverse;
  return {along * inverse, select(difference < LaneBlock(0.0), -across, across)};
}

HOLO_INLINE void turn(const LaneRotation& r, LaneBlock& p, LaneBlock& q) {
  const LaneBlock old = p;
  p = r.c * old - r.s * q;
  q = r.s * old + r.c * q;
}

// One sweep over all pairs. a: upper triangle. vectors: the rows converge to eigenvectors.
template <int n>
HOLO_INLINE void jacobi_sweep(LaneBlock (&a)[n][n], LaneBlock (&vectors)[n][n]) {
  for (int p = 0; p < n - 1; ++p)
    for (int q = p + 1; q < n; ++q) {
      const LaneBlock pp = a[p][p], pq = a[p][q], qq = a[q][q];
      const LaneRotation r = annihilate(pp, pq, qq);
      for (int k = 0; k < p; ++k) turn(r, a[k][p], a[k][q]);
      for (int k = p + 1; k < q; ++k) turn(r, a[p][k], a[k][q]);
      for (int k = q + 1; k < n; ++k) turn(r, a[p][k], a[q][k]);
      const LaneBlock cross = (r.c * r.s + r.c * r.s) * pq, cc = r.c * r.c, ss = r.s * r.s;
      a[p][p] = cc * pp - cross + ss * qq;
      a[q][q] = ss * pp + cross + cc * qq;
      a[p][q] = (cc - ss) * pq + r.c * r.s * (pp - qq);
      for (int k = 0; k < n; ++k) turn(r, vectors[p][k], vectors[q][k]);
    }
}

// Decomposes a (upper triangle, largest entry of order 1): its diagonal becomes the eigenvalues, to about 1e-14, and the rows
// of `vectors` the eigenvectors. What is not finite ends at once.
template <int n>
HOLO_INLINE void jacobi_decompose(LaneBlock (&a)[n][n], LaneBlock (&vectors)[n][n]) {
  constexpr int max_sweeps = 30;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) vectors[i][j] = LaneBlock(i == j ? 1.0 : 0.0);
  for (int count = 0; count < max_sweeps; ++count) {
    LaneBlock off(0.0);
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) off += a[i][j] * a[i][j];
    if (!any(off > LaneBlock(1e-28))) return;
    jacobi_sweep(a, vectors);
  }
}

}  // namespace holo
