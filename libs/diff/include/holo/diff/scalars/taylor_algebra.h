#pragma once
// Truncated power series on plain arrays of their coefficients c_0 ... c_n: products, quotients, composition. Where a series is
// known to end at a degree p < n (a polynomial in the variable), its zeros are neither stored nor multiplied. Sums over
// coefficients are unrolled by the front end, so that the arrays become registers.

#include "holo/core/host_device.h"

namespace holo::detail {

// sum over j = first ... last of a_j b_(k-j); zero terms are left out by the caller's bounds.
template <int k, int first, int last, class A, class B>
HOLO_INLINE constexpr auto convolve(const A* a, const B* b) {
  if constexpr (first == last)
    return a[first] * b[k - first];
  else
    return convolve<k, first, last - 1>(a, b) + a[last] * b[k - last];
}

// out_k ... out_n of the product of series of degrees p and q.
template <int n, int p, int q, int k = 0, class B>
HOLO_INLINE constexpr void multiply_series(const B* a, const B* b, B* out) {
  if constexpr (k <= n && k <= p + q) {
    out[k] = convolve<k, (k > q ? k - q : 0), (k < p ? k : p)>(a, b);  // NOLINT(bugprone-branch-clone): in some instances
    multiply_series<n, p, q, k + 1>(a, b, out);
  }
}

// out = a / b by forward substitution. `inverse` is 1 / b_0. The value is divided outright in the end, so that it is the
// quotient that plain arithmetic gives, at no cost where only derivatives are read.
template <int n, int p, int q, int k = 0, class B>
HOLO_INLINE constexpr void divide_series(const B* a, const B* b, const B& inverse, B* out) {
  if constexpr (k == 0) {
    out[0] = a[0] * inverse;
  } else {
    const B known = convolve<k, (k > q ? k - q : 0), k - 1>(out, b);
    if constexpr (k <= p)
      out[k] = (a[k] - known) * inverse;
    else
      out[k] = -known * inverse;
  }
  if constexpr (k < n)
    divide_series<n, p, q, k + 1>(a, b, inverse, out);
  else
    out[0] = a[0] / b[0];
}

// out = f(c), where d[k] is the k-th derivative of f at c_0 and c has degree p: sum_k d_k / k! (c - c_0)^k.
template <int n, int p, class B>
HOLO_INLINE constexpr void compose_series(const B* d, const B* c, B* out) {
  out[0] = d[0];
  if constexpr (n >= 1) out[1] = d[1] * c[1];
  if constexpr (p == 1) {
    double factorial = 1;
    B power = c[1];
    for (int k = 2; k <= n; ++k) {
      factorial *= k;
      power = power * c[1];
      out[k] = (d[k] * (1 / factorial)) * power;
    }
  } else if constexpr (n <= 3) {
    if constexpr (n >= 2) out[2] = d[1] * c[2] + (0.5 * d[2]) * (c[1] * c[1]);
    if constexpr (n >= 3) {
      const B cubic = d[2] * c[2] + ((1.0 / 6) * d[3]) * (c[1] * c[1]);
      if constexpr (p >= 3)
        out[3] = d[1] * c[3] + cubic * c[1];
      else
        out[3] = cubic * c[1];
    }
  } else {  // Horner's rule, each step to the length that still matters
    double factorial = 1;
    for (int k = 2; k <= n; ++k) factorial *= k;
    for (int k = 0; k <= n; ++k) out[k] = B(0.0);
    out[0] = d[n] * (1 / factorial);
    for (int step = n - 1; step >= 0; --step) {
      factorial /= step + 1;
      for (int k = n - step; k >= 1; --k) {
        B sum = out[0] * (k <= p ? c[k] : B(0.0));
        for (int j = 1; j < k; ++j)
          if (k - j <= p) sum = sum + out[j] * c[k - j];
        out[k] = sum;
      }
      out[0] = d[step] * (1 / factorial);
    }
  }
}

}  // namespace holo::detail
