#pragma once
// Stores past the caches, for outputs that are larger than these and are not read again soon: a plain store reads the line
// first.

#include <cstring>

#include "holo/core/host_device.h"
#include "holo/diff/lanes/lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace holo::comparison {

// `to` is aligned to the size of a block.
HOLO_INLINE void stream(double* to, const LaneBlock::Values& values) {
#if defined(__AVX512F__)
  _mm512_stream_pd(to, reinterpret_cast<const __m512d&>(values));
#elif defined(__AVX__)
  _mm256_stream_pd(to, reinterpret_cast<const __m256d&>(values));
#elif defined(__SSE2__)
  _mm_stream_pd(to, reinterpret_cast<const __m128d&>(values));
#else
  std::memcpy(to, &values, sizeof(values));
#endif
}

}  // namespace holo::comparison
