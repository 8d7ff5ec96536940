#pragma once
// Elementary functions of a compiler's vector type: the C library's vector math (libmvec) by its own symbols, which GCC and
// Clang can both call; a loop over the scalar functions for other widths and where the library is older or another one.

#include <cmath>

#include "holo/core/host_device.h"

namespace holo::vector_math {

typedef double Double2 __attribute__((vector_size(16)));
typedef double Double4 __attribute__((vector_size(32)));
typedef double Double8 __attribute__((vector_size(64)));

// Functions of glibc 2.22, and those of 2.35.
#define HOLO_UNARY_EARLY(X) X(exp) X(log) X(sin) X(cos)
#define HOLO_UNARY_LATE(X) X(expm1) X(log1p) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(cbrt)
#define HOLO_BINARY_EARLY(X) X(pow)
#define HOLO_BINARY_LATE(X) X(atan2) X(hypot)

#define HOLO_LOOP_UNARY(name)                                                       \
  template <class V>                                                                \
  HOLO_INLINE V name(V x) {                                                         \
    for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i) x[i] = std::name(x[i]); \
    return x;                                                                       \
  }
#define HOLO_LOOP_BINARY(name)                                                            \
  template <class V>                                                                      \
  HOLO_INLINE V name(V x, V y) {                                                          \
    for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i) x[i] = std::name(x[i], y[i]); \
    return x;                                                                             \
  }
HOLO_LOOP_UNARY(sqrt)
HOLO_UNARY_EARLY(HOLO_LOOP_UNARY)
HOLO_UNARY_LATE(HOLO_LOOP_UNARY)
HOLO_BINARY_EARLY(HOLO_LOOP_BINARY)
HOLO_BINARY_LATE(HOLO_LOOP_BINARY)
#undef HOLO_LOOP_UNARY
#undef HOLO_LOOP_BINARY

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__CUDACC__)

// _ZGV, instruction set (b: SSE, c: AVX, d: AVX2, e: AVX-512), N, lanes, one v for each argument.
#define HOLO_SYMBOL_UNARY(prefix, Type, name)                             \
  extern "C" Type prefix##v_##name(Type) noexcept __attribute__((const)); \
  HOLO_INLINE Type name(Type x) { return prefix##v_##name(x); }
#define HOLO_SYMBOL_BINARY(prefix, Type, name)                                   \
  extern "C" Type prefix##vv_##name(Type, Type) noexcept __attribute__((const)); \
  HOLO_INLINE Type name(Type x, Type y) { return prefix##vv_##name(x, y); }

#define HOLO_UNARY_2(name) HOLO_SYMBOL_UNARY(_ZGVbN2, Double2, name)
#define HOLO_BINARY_2(name) HOLO_SYMBOL_BINARY(_ZGVbN2, Double2, name)
#if defined(__AVX2__)
#define HOLO_UNARY_4(name) HOLO_SYMBOL_UNARY(_ZGVdN4, Double4, name)
#define HOLO_BINARY_4(name) HOLO_SYMBOL_BINARY(_ZGVdN4, Double4, name)
#elif defined(__AVX__)
#define HOLO_UNARY_4(name) HOLO_SYMBOL_UNARY(_ZGVcN4, Double4, name)
#define HOLO_BINARY_4(name) HOLO_SYMBOL_BINARY(_ZGVcN4, Double4, name)
#else
#define HOLO_UNARY_4(name)
#define HOLO_BINARY_4(name)
#endif
#if defined(__AVX512F__)
#define HOLO_UNARY_8(name) HOLO_SYMBOL_UNARY(_ZGVeN8, Double8, name)
#define HOLO_BINARY_8(name) HOLO_SYMBOL_BINARY(_ZGVeN8, Double8, name)
#else
#define HOLO_UNARY_8(name)
#define HOLO_BINARY_8(name)
#endif
#define HOLO_UNARY_ALL(name) HOLO_UNARY_2(name) HOLO_UNARY_4(name) HOLO_UNARY_8(name)
#define HOLO_BINARY_ALL(name) HOLO_BINARY_2(name) HOLO_BINARY_4(name) HOLO_BINARY_8(name)

#if __GLIBC_PREREQ(2, 22)
HOLO_UNARY_EARLY(HOLO_UNARY_ALL)
HOLO_BINARY_EARLY(HOLO_BINARY_ALL)
#endif
#if __GLIBC_PREREQ(2, 35)
HOLO_UNARY_LATE(HOLO_UNARY_ALL)
HOLO_BINARY_LATE(HOLO_BINARY_ALL)
#endif

#undef HOLO_SYMBOL_UNARY
#undef HOLO_SYMBOL_BINARY
#undef HOLO_UNARY_2
#undef HOLO_UNARY_4
#undef HOLO_UNARY_8
#undef HOLO_UNARY_ALL
#undef HOLO_BINARY_2
#undef HOLO_BINARY_4
#undef HOLO_BINARY_8
#undef HOLO_BINARY_ALL
#endif

#undef HOLO_UNARY_EARLY
#undef HOLO_UNARY_LATE
#undef HOLO_BINARY_EARLY
#undef HOLO_BINARY_LATE

}  // namespace holo::vector_math
