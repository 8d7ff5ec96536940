#pragma once
// Products, quotients and the idempotent splitting of multicomplex numbers. A number is p + i_n q, where p and q have n - 1
// units and lie one behind the other. Included by holo/diff/scalars/multicomplex.h.

#include "holo/diff/scalars/complex.h"
#include "holo/diff/scalars/nilpotent_algebra.h"

namespace holo {

template <int n, class T>
class Multicomplex;

namespace detail {

// out += sign a b, with 4^n products: (p + i q)(r + i s) = p r - q s + i (p s + q r).
template <int n, int sign, class T>
HOLO_FN constexpr void multiply_multicomplex(const T* a, const T* b, T* out) {
  if constexpr (n == 0) {
    if constexpr (sign > 0)
      out[0] = out[0] + a[0] * b[0];
    else
      out[0] = out[0] - a[0] * b[0];
  } else {
    constexpr int half = 1 << (n - 1);
    multiply_multicomplex<n - 1, sign>(a, b, out);
    multiply_multicomplex<n - 1, -sign>(a + half, b + half, out);
    multiply_multicomplex<n - 1, sign>(a, b + half, out + half);
    multiply_multicomplex<n - 1, sign>(a + half, b, out + half);
  }
}

// A number with one unit less; with none, a plain one.
template <int n, class T>
struct MulticomplexPart {
  using type = Multicomplex<n, T>;
};
template <class T>
struct MulticomplexPart<0, T> {
  using type = T;
};
template <int n, class T>
using PartOf = typename MulticomplexPart<n - 1, T>::type;

// The half `which` of z: p or q.
template <int n, class T>
HOLO_FN constexpr PartOf<n, T> part(const Multicomplex<n, T>& z, int which) {
  constexpr int half = 1 << (n - 1);
  if constexpr (n == 1) {
    return z.coefficient(which);
  } else {
    PartOf<n, T> result;
    for (int s = 0; s < half; ++s) result.set_coefficient(s, z.coefficient(which * half + s));
    return result;
  }
}
template <int n, class T>
HOLO_FN constexpr Multicomplex<n, T> join(const PartOf<n, T>& p, const PartOf<n, T>& q) {
  constexpr int half = 1 << (n - 1);
  Multicomplex<n, T> result;
  if constexpr (n == 1) {
    result.set_coefficient(0, p), result.set_coefficient(1, q);
  } else {
    for (int s = 0; s < half; ++s)
      result.set_coefficient(s, p.coefficient(s)), result.set_coefficient(half + s, q.coefficient(s));
  }
  return result;
}

// sign i_1 z.
template <int n, class T>
HOLO_FN constexpr Multicomplex<n, T> turned(const Multicomplex<n, T>& z, double sign) {
  Multicomplex<n, T> result;
  for (int s = 0; s < (1 << n); s += 2)
    result.set_coefficient(s, -sign * z.coefficient(s + 1)), result.set_coefficient(s + 1, sign * z.coefficient(s));
  return result;
}

template <class T>
HOLO_FN constexpr Complex<T> to_complex(const Multicomplex<1, T>& z) {
  return Complex<T>(z.coefficient(0), z.coefficient(1));
}

// f(z, ...) through the idempotents (1 +- i_1 i_n)/2: f of the numbers with i_n = +-i_1, put together again.
template <class F, int n, class T, class... More>
HOLO_FN constexpr Multicomplex<n, T> by_idempotents(F f, const Multicomplex<n, T>& z, const More&... more) {
  if constexpr (n == 1) {
    const Complex<T> result = f(to_complex(z), to_complex(more)...);
    return join<1, T>(result.value(), result.imaginary());
  } else {
    const auto split = [](const Multicomplex<n, T>& x, double sign) { return part(x, 0) + turned(part(x, 1), sign); };
    const auto plus = f(split(z, 1), split(more, 1)...), minus = f(split(z, -1), split(more, -1)...);
    return join<n, T>(T(0.5) * (plus + minus), T(0.5) * turned(plus - minus, -1));
  }
}

// 1 / (p + i q) = (p - i q) / (p^2 + q^2), one unit at a time.
template <int n, class T>
HOLO_FN constexpr Multicomplex<n, T> inverse(const Multicomplex<n, T>& z) {
  const auto p = part(z, 0), q = part(z, 1);
  if constexpr (n == 1) {
    const T d = 1.0 / (p * p + q * q);
    return join<1, T>(p * d, -q * d);
  } else {
    const auto d = inverse(p * p + q * q);
    return join<n, T>(p * d, -q * d);
  }
}

// Far from the zero divisors by the inverse, which does not cancel, else by idempotents.
template <int n, class T>
HOLO_FN constexpr Multicomplex<n, T> divide_multicomplex(const Multicomplex<n, T>& a, const Multicomplex<n, T>& b) {
  const T size = abs(b.value());
  if (b.imaginary_size() * double(1 << n) <= size) {
    // b = r (1 + w): the quotient of the real part by itself, so that it is the one that plain arithmetic gives for w = 0.
    const Multicomplex<n, T> unit = b / b.value();
    return (a / b.value()) * inverse(unit);
  }
  return by_idempotents([](const auto& x, const auto& y) { return x / y; }, a, b);
}

}  // namespace detail
}  // namespace holo
