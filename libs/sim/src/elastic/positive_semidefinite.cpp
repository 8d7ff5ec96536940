#include "holo/sim/positive_semidefinite.h"

#include <algorithm>

#include "holo/diff/lanes.h"

namespace holo {
namespace {

constexpr int n = 9, entries = 45;
constexpr int max_sweeps = 30;

// Position of (i, j), i <= j, in the upper half by rows.
constexpr int upper(int i, int j) { return i * n - i * (i - 1) / 2 + (j - i); }

HOLO_INLINE LaneBlock largest_entry(const LaneBlock* a) {
  LaneBlock largest = abs(a[0]);
  for (int k = 1; k < entries; ++k) largest = max(largest, abs(a[k]));
  return largest;
}

// Lanes where L D L^T of the matrix plus a small shift has positive pivots only.
HOLO_INLINE LaneBlock::Mask is_positive(const double* matrix) {
  LaneBlock a[entries];
#pragma GCC unroll 45
  for (int k = 0; k < entries; ++k) a[k] = LaneBlock::load(matrix + k * HOLO_LANE_WIDTH);
  LaneBlock shift = LaneBlock(1e-13) * largest_entry(a);
  LaneBlock::Mask positive = shift >= LaneBlock(0.0);
#pragma GCC unroll 9
  for (int p = 0; p < n; ++p) {
    const LaneBlock pivot = a[upper(p, p)] + shift;
    positive = positive & (pivot > LaneBlock(0.0));
    const LaneBlock inverse = LaneBlock(1.0) / pivot;
#pragma GCC unroll 9
    for (int i = p + 1; i < n; ++i) {
      const LaneBlock factor = a[upper(p, i)] * inverse;
#pragma GCC unroll 9
      for (int j = i; j < n; ++j) a[upper(i, j)] -= factor * a[upper(p, j)];
    }
  }
  return positive;
}

struct Rotation {
  LaneBlock c, s;
};

// [Golub2013] section 8.5: annihilates (p, q) by the smaller angle. Of a zero block the identity.
HOLO_INLINE Rotation annihilate(LaneBlock pp, LaneBlock pq, LaneBlock qq) {
  const LaneBlock difference = qq - pp, twice = pq + pq;
  const LaneBlock length = abs(difference) + sqrt(difference * difference + twice * twice);
  const LaneBlock quotient = twice / max(length, LaneBlock(1e-280));
  const LaneBlock t = select(difference < LaneBlock(0.0), -quotient, quotient);
  const LaneBlock c = LaneBlock(1.0) / sqrt(LaneBlock(1.0) + t * t);
  return {c, t * c};
}

HOLO_INLINE void turn(const Rotation& r, LaneBlock& p, LaneBlock& q) {
  const LaneBlock old = p;
  p = r.c * old - r.s * q;
  q = r.s * old + r.c * q;
}

// a: upper triangle; vectors: columns turn along, stored by rows of the transpose.
void sweep(LaneBlock (&a)[n][n], LaneBlock (&vectors)[n][n]) {
  for (int p = 0; p < n - 1; ++p)
    for (int q = p + 1; q < n; ++q) {
      const LaneBlock pp = a[p][p], pq = a[p][q], qq = a[q][q];
      const Rotation r = annihilate(pp, pq, qq);
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

// In the units of a matrix whose largest entry is 1. What is not finite counts as converged.
bool converged(const LaneBlock (&a)[n][n]) {
  LaneBlock off(0.0);
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) off += a[i][j] * a[i][j];
  return !any(off > LaneBlock(1e-28));
}

// Takes the negative part off a block of matrices.
void remove_negative_part(double* matrix) {
  LaneBlock original[entries], a[n][n], vectors[n][n];
  for (int k = 0; k < entries; ++k) original[k] = LaneBlock::load(matrix + k * HOLO_LANE_WIDTH);
  const LaneBlock scale = largest_entry(original);
  const LaneBlock inverse = LaneBlock(1.0) / max(scale, LaneBlock(1e-280));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      vectors[i][j] = LaneBlock(i == j ? 1.0 : 0.0);
      a[i][j] = j < i ? LaneBlock(0.0) : original[upper(i, j)] * inverse;
    }
  for (int count = 0; count < max_sweeps && !converged(a); ++count) sweep(a, vectors);
  for (int p = 0; p < n; ++p) {
    const LaneBlock negative = min(a[p][p], LaneBlock(0.0)) * scale;
    if (!any(negative != LaneBlock(0.0))) continue;
    for (int i = 0; i < n; ++i) {
      const LaneBlock weighted = negative * vectors[p][i];
      for (int j = i; j < n; ++j) original[upper(i, j)] -= weighted * vectors[p][j];
    }
  }
  for (int k = 0; k < entries; ++k) original[k].store(matrix + k * HOLO_LANE_WIDTH);
}

double* entry(double* matrices, std::size_t slot) {
  return matrices + slot / HOLO_LANE_WIDTH * entries * HOLO_LANE_WIDTH + slot % HOLO_LANE_WIDTH;
}

// Packs the matrices of some slots into one block (the last repeated), takes their negative parts off and puts them back.
void project_packed(double* matrices, const std::size_t* slots, std::size_t count) {
  alignas(HOLO_BLOCK_ALIGNMENT) double packed[entries * HOLO_LANE_WIDTH];
  for (std::size_t lane = 0; lane < HOLO_LANE_WIDTH; ++lane) {
    const double* from = entry(matrices, slots[std::min(lane, count - 1)]);
    for (int k = 0; k < entries; ++k) packed[k * HOLO_LANE_WIDTH + lane] = from[k * HOLO_LANE_WIDTH];
  }
  remove_negative_part(packed);
  for (std::size_t lane = 0; lane < count; ++lane) {
    double* to = entry(matrices, slots[lane]);
    for (int k = 0; k < entries; ++k) to[k * HOLO_LANE_WIDTH] = packed[k * HOLO_LANE_WIDTH + lane];
  }
}

}  // namespace

std::size_t project_positive_semidefinite(double* matrices, std::size_t block_count, std::uint8_t* projected) {
  std::size_t waiting[HOLO_LANE_WIDTH], waiting_count = 0, total = 0;
  for (std::size_t block = 0; block < block_count; ++block) {
    const LaneBlock::Mask positive = is_positive(matrices + block * entries * HOLO_LANE_WIDTH);
    for (std::size_t lane = 0; lane < HOLO_LANE_WIDTH; ++lane) {
      const bool negative = !positive[static_cast<int>(lane)];
      projected[block * HOLO_LANE_WIDTH + lane] = negative;
      if (!negative) continue;
      ++total;
      waiting[waiting_count++] = block * HOLO_LANE_WIDTH + lane;
      if (waiting_count < HOLO_LANE_WIDTH) continue;
      project_packed(matrices, waiting, waiting_count);
      waiting_count = 0;
    }
  }
  if (waiting_count > 0) project_packed(matrices, waiting, waiting_count);
  return total;
}

}  // namespace holo
