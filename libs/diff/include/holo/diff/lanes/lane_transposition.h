#pragma once
// Square blocks of doubles, transposed between registers of lanes and memory: from a record for each element to a register for
// each entry, and back. The stage that exchanges halves of registers is done by loads and stores of halves: on Intel processors
// shuffles share a port with half of the multiply-adds, loads and stores do not.

#include <cstddef>
#include <cstring>
#include <utility>

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/solid/tetrahedron_chain.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace holo {
namespace detail {

// One stage: exchanges the lanes of a that have the bit with those of b that have it not.
template <int bit, int... lane>
HOLO_INLINE void exchange(LaneBlock::Values& a, LaneBlock::Values& b, std::integer_sequence<int, lane...>) {
  constexpr int W = LaneBlock::width;
  const LaneBlock::Values low = __builtin_shufflevector(a, b, ((lane & bit) ? W + lane - bit : lane)...);
  const LaneBlock::Values high = __builtin_shufflevector(a, b, ((lane & bit) ? W + lane : lane + bit)...);
  a = low;
  b = high;
}

// The stages bit, 2 bit, ... below `end`, of `count` rows.
template <int bit, int end, int count>
HOLO_INLINE void exchange_stages(LaneBlock::Values* rows) {
  if constexpr (bit < end) {
    unroll<count>([rows](auto row) HOLO_INLINE_LAMBDA {
      if constexpr ((row & bit) == 0)
        exchange<bit>(rows[row], rows[row + bit], std::make_integer_sequence<int, LaneBlock::width>{});
    });
    exchange_stages<2 * bit, end, count>(rows);
  }
}

inline constexpr int half_width = LaneBlock::width / 2;
typedef double HalfValues __attribute__((vector_size(half_width * sizeof(double))));

// By the processor's own instructions, which take one half to or from memory: GCC 12 makes a shuffle and a store of the general
// form.
HOLO_INLINE void store_lower_half(const LaneBlock::Values& row, double* to) { std::memcpy(to, &row, sizeof(HalfValues)); }
HOLO_INLINE void store_upper_half(const LaneBlock::Values& row, double* to) {
#if defined(__AVX512F__)
  _mm256_storeu_pd(to, _mm512_extractf64x4_pd((__m512d)row, 1));
#elif defined(__AVX__)
  _mm_storeu_pd(to, _mm256_extractf128_pd((__m256d)row, 1));
#else
  for (int i = 0; i < half_width; ++i) to[i] = row[half_width + i];
#endif
}
HOLO_INLINE LaneBlock::Values load_halves(const double* low, const double* high) {
#if defined(__AVX512F__)
  return (LaneBlock::Values)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(low)), _mm256_loadu_pd(high), 1);
#elif defined(__AVX__)
  return (LaneBlock::Values)_mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(low)), _mm_loadu_pd(high), 1);
#else
  LaneBlock::Values values{};
  for (int i = 0; i < half_width; ++i) values[i] = low[i], values[half_width + i] = high[i];
  return values;
#endif
}

}  // namespace detail

// Lane i of row r becomes lane r of row i.
HOLO_INLINE void transpose_lanes(LaneBlock::Values (&rows)[LaneBlock::width]) {
  detail::exchange_stages<1, LaneBlock::width, LaneBlock::width>(rows);
}

// Lane i of row r goes to to[i stride + r], for the first `used` rows: all, or half of them. The rows are spent.
template <int used = LaneBlock::width>
HOLO_INLINE void store_transposed(LaneBlock::Values (&rows)[LaneBlock::width], double* to, std::size_t stride) {
  constexpr int half = detail::half_width;
  static_assert(used == LaneBlock::width || used == half);
  detail::exchange_stages<1, half, used>(rows);
  detail::unroll<half>([&](auto row) HOLO_INLINE_LAMBDA {
    double *upper = to + row * stride, *lower = to + (row + half) * stride;
    detail::store_lower_half(rows[row], upper);
    if constexpr (used > half) detail::store_lower_half(rows[row + half], upper + half);
    detail::store_upper_half(rows[row], lower);
    if constexpr (used > half) detail::store_upper_half(rows[row + half], lower + half);
  });
}

// from[i stride + r] comes to lane i of row r.
HOLO_INLINE void load_transposed(const double* from, std::size_t stride, LaneBlock::Values (&rows)[LaneBlock::width]) {
  constexpr int half = detail::half_width;
  detail::unroll<half>([&](auto row) HOLO_INLINE_LAMBDA {
    const double *upper = from + row * stride, *lower = from + (row + half) * stride;
    rows[row] = detail::load_halves(upper, lower);
    rows[row + half] = detail::load_halves(upper + half, lower + half);
  });
  detail::exchange_stages<1, half, LaneBlock::width>(rows);
}

}  // namespace holo
