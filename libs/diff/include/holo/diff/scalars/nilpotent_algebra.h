#pragma once
// The algebra of numbers with n nilpotent units, eps_k^2 = 0, on plain arrays of their 2^n coefficients. Bit k-1 of an index
// says whether the unit eps_k is a factor, so index 0 is the real part. Every rule is written once, for the highest unit: a
// number is p + eps_n q, where p and q have n - 1 units and lie one behind the other; the compiler unrolls the recursion. From
// five units on, code of 3^n products would take minutes to compile: loops run over the subsets of the higher units, and what
// the three lowest do is unrolled inside them. The arrays of a product may differ in type, so that one factor can be a number
// and the other a vector of numbers.
//
// [Luo2019] Eqs 26-28 without their terms of order h^2: the perturbation h cancels, and 1 serves for it.

#include "holo/core/host_device.h"

namespace holo::detail {

inline constexpr int looped_units = 5;     // numbers of as many units, or more, take the loops
inline constexpr int innermost_units = 3;  // of which these are unrolled: 27 products
inline constexpr int innermost = 1 << innermost_units;

// As their namesakes below, for any number of units >= innermost_units.
template <class A, class B, class C>
HOLO_FN constexpr void multiply_add_in_loops(int units, const A* a, const B* b, C* out);
template <class A, class B, class C>
HOLO_FN constexpr void multiply_in_loops(int units, const A* a, const B* b, C* out);
template <bool exact, class A, class B, class Inverse>
HOLO_FN constexpr void divide_in_loops(int units, A* a, const B* b, const Inverse& inverse);
template <int n, class D, class A, class C>
HOLO_FN constexpr void compose_in_loops(const D* d, const A* a, C* out);

// What a product does with what stands at its place.
enum class Into { nothing, sum, difference };

// out = a b, out += a b or out -= a b, with 3^n products: (p + eps q)(r + eps s) = p r + eps (p s + q r).
template <int n, Into into, class A, class B, class C>
HOLO_INLINE constexpr void product(const A* a, const B* b, C* out) {
  if constexpr (n == 0) {
    if constexpr (into == Into::nothing)
      out[0] = a[0] * b[0];
    else if constexpr (into == Into::sum)
      out[0] = out[0] + a[0] * b[0];
    else
      out[0] = out[0] - a[0] * b[0];
  } else if constexpr (n >= looped_units && into == Into::nothing) {
    multiply_in_loops(n, a, b, out);
  } else if constexpr (n >= looped_units && into == Into::sum) {
    multiply_add_in_loops(n, a, b, out);
  } else {
    constexpr int half = 1 << (n - 1);
    product<n - 1, into>(a, b, out);
    product<n - 1, into>(a, b + half, out + half);
    product<n - 1, into == Into::nothing ? Into::sum : into>(a + half, b, out + half);
  }
}

template <int n, class A, class B, class C>
HOLO_INLINE constexpr void multiply(const A* a, const B* b, C* out) {
  product<n, Into::nothing>(a, b, out);
}

template <int n, class A, class B, class C>
HOLO_INLINE constexpr void multiply_add(const A* a, const B* b, C* out) {
  product<n, Into::sum>(a, b, out);
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
  } else if constexpr (n >= looped_units) {
    divide_in_loops<exact>(n, a, b, inverse);
  } else {
    constexpr int half = 1 << (n - 1);
    divide<n - 1, exact>(a, b, inverse);
    product<n - 1, Into::difference>(b + half, a, a + half);
    divide<n - 1, false>(a + half, b, inverse);
  }
}

// out = f(a), where d[k] is the k-th derivative of f at the real part: f(p + eps q) = f(p) + eps q f'(p). It is the rule of
// Faa di Bruno, one unit at a time.
template <int n, class D, class A, class C>
HOLO_INLINE constexpr void compose(const D* d, const A* a, C* out) {
  if constexpr (n == 0) {
    out[0] = d[0];
  } else if constexpr (n >= looped_units) {
    compose_in_loops<n>(d, a, out);
  } else {
    constexpr int half = 1 << (n - 1);
    compose<n - 1>(d, a, out);
    D slope[half];
    compose<n - 1>(d + 1, a, slope);
    multiply<n - 1>(slope, a + half, out + half);
  }
}

// Sums over the subsets T of every set S of the higher units: out_S += a_T b_(S without T), each a number of the lower units.
template <class A, class B, class C>
HOLO_FN constexpr void multiply_add_in_loops(int units, const A* a, const B* b, C* out) {
  const int sets = 1 << (units - innermost_units);
  for (int S = 0; S < sets; ++S) {
    C sum[innermost];
    for (int k = 0; k < innermost; ++k) sum[k] = out[S * innermost + k];
    for (int T = S;; T = (T - 1) & S) {
      multiply_add<innermost_units>(a + T * innermost, b + (S ^ T) * innermost, sum);
      if (T == 0) break;
    }
    for (int k = 0; k < innermost; ++k) out[S * innermost + k] = sum[k];
  }
}

template <class A, class B, class C>
HOLO_FN constexpr void multiply_in_loops(int units, const A* a, const B* b, C* out) {
  for (int k = 0; k < 1 << units; ++k) out[k] = C(0.0);
  multiply_add_in_loops(units, a, b, out);
}

// Sets in rising order, so that the quotient is known on all smaller ones.
template <bool exact, class A, class B, class Inverse>
HOLO_FN constexpr void divide_in_loops(int units, A* a, const B* b, const Inverse& inverse) {
  divide<innermost_units, exact>(a, b, inverse);
  const int sets = 1 << (units - innermost_units);
  for (int S = 1; S < sets; ++S) {
    A* quotient = a + S * innermost;
    for (int T = S; T != 0; T = (T - 1) & S)
      product<innermost_units, Into::difference>(b + T * innermost, a + (S ^ T) * innermost, quotient);
    divide<innermost_units, false>(quotient, b, inverse);
  }
}

// Unit by unit: with the k-th derivative of f known on the first i units, F_k, one unit more has F_(k+1) a' in its upper half,
// a' the part of a with that unit. In the end F_0 = f(a). The arrays of F_k lie one behind the other, ever shorter.
template <int n, class D, class A, class C>
HOLO_FN constexpr void compose_in_loops(const D* d, const A* a, C* out) {
  constexpr int first = innermost_units;
  D derivatives[2 << n];
  const auto begin = [&](int k) { return derivatives + (2 << n) - (2 << (n - k)); };  // of 2^(n-k)
  for (int k = 0; k <= n - first; ++k) compose<first>(d + k, a, begin(k));
  for (int units = first; units < n; ++units)
    for (int k = 0; k < n - units; ++k) multiply_in_loops(units, begin(k + 1), a + (1 << units), begin(k) + (1 << units));
  for (int k = 0; k < 1 << n; ++k) out[k] = derivatives[k];
}

}  // namespace holo::detail
