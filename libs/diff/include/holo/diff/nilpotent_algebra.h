#pragma once
// The algebra of numbers with n nilpotent units, eps_k^2 = 0, on plain arrays of their 2^n coefficients. Bit k-1 of an index
// says whether the unit eps_k is a factor, so index 0 is the real part. Every rule is written once, for the highest unit: a
// number is p + eps_n q, where p and q have n - 1 units and lie one behind the other; the compiler unrolls the recursion. The
// arrays of a product may differ in type, so that one factor can be a number and the other a vector of numbers.
//
// [Luo2019] Eqs 26-28 without their terms of order h^2: the perturbation h cancels, and 1 serves for it.

#include "holo/core/host_device.h"

namespace holo::detail {

// out += a b.
template <int n, class A, class B, class C>
HOLO_INLINE constexpr void multiply_add(const A* a, const B* b, C* out) {
  if constexpr (n == 0) {
    out[0] = out[0] + a[0] * b[0];
  } else {
    constexpr int half = 1 << (n - 1);
    multiply_add<n - 1>(a, b, out);
    multiply_add<n - 1>(a, b + half, out + half);
    multiply_add<n - 1>(a + half, b, out + half);
  }
}

// out = a b, with 3^n products: (p + eps q)(r + eps s) = p r + eps (p s + q r).
template <int n, class A, class B, class C>
HOLO_INLINE constexpr void multiply(const A* a, const B* b, C* out) {
  if constexpr (n == 0) {
    out[0] = a[0] * b[0];
  } else {
    constexpr int half = 1 << (n - 1);
    multiply<n - 1>(a, b, out);
    multiply<n - 1>(a, b + half, out + half);
    multiply_add<n - 1>(a + half, b, out + half);
  }
}

// out -= a b.
template <int n, class A, class B, class C>
HOLO_INLINE constexpr void multiply_subtract(const A* a, const B* b, C* out) {
  if constexpr (n == 0) {
    out[0] = out[0] - a[0] * b[0];
  } else {
    constexpr int half = 1 << (n - 1);
    multiply_subtract<n - 1>(a, b, out);
    multiply_subtract<n - 1>(a, b + half, out + half);
    multiply_subtract<n - 1>(a + half, b, out + half);
  }
}

// a = a / b by forward substitution: (p + eps q) / (r + eps s) = u + eps (q - s u) / r with u = p / r. `inverse` is 1 / b[0];
// the real part is divided outright where `exact`, so that it is the quotient that plain arithmetic gives.
template <int n, bool exact, class A, class B, class Inverse>
HOLO_INLINE constexpr void divide(A* a, const B* b, const Inverse& inverse) {
  if constexpr (n == 0) {
    if constexpr (exact)
      a[0] = a[0] / b[0];
    else
      a[0] = a[0] * inverse;
  } else {
    constexpr int half = 1 << (n - 1);
    divide<n - 1, exact>(a, b, inverse);
    multiply_subtract<n - 1>(b + half, a, a + half);
    divide<n - 1, false>(a + half, b, inverse);
  }
}

// out = f(a), where d[k] is the k-th derivative of f at the real part: f(p + eps q) = f(p) + eps q f'(p). It is the rule of
// Faa di Bruno, one unit at a time.
template <int n, class D, class A, class C>
HOLO_INLINE constexpr void compose(const D* d, const A* a, C* out) {
  if constexpr (n == 0) {
    out[0] = d[0];
  } else {
    constexpr int half = 1 << (n - 1);
    compose<n - 1>(d, a, out);
    D slope[half];
    compose<n - 1>(d + 1, a, slope);
    multiply<n - 1>(slope, a + half, out + half);
  }
}

}  // namespace holo::detail
