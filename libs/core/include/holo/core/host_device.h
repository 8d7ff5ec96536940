#pragma once
// Markers of functions that also run on a device, and of those that must vanish into their caller.

#if defined(__CUDACC__)
#define HOLO_FN __host__ __device__
#else
#define HOLO_FN
#endif

// Forced inlining is for optimized builds only: without optimization it makes huge stack frames, under sanitizers too.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__CUDACC__)
#define HOLO_INLINE inline __attribute__((always_inline))
#define HOLO_INLINE_LAMBDA __attribute__((always_inline))  // between a lambda's parameters and its body
#else
#define HOLO_INLINE HOLO_FN inline
#define HOLO_INLINE_LAMBDA
#endif
