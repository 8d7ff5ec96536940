#pragma once
// The elementary functions of complex numbers, in forms that cancel neither in the real part nor in an imaginary part however
// small. Included by holo/diff/scalars/complex.h.

#include "holo/diff/scalars/complex.h"

namespace holo {
namespace detail {

template <class T>
HOLO_INLINE constexpr T modulus(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>)
    return hypot(a, b);
  else
    return sqrt(T(a * a + b * b));
}

template <class T>
HOLO_INLINE constexpr T inverse_sinh(const T& x) {
  const T a = abs(x), y = log1p(T(a + a * a / (1.0 + sqrt(T(1.0 + a * a)))));
  return x < 0.0 ? T(-y) : y;
}

// radius (cos angle + i sin angle).
template <class T, class A>
HOLO_FN constexpr Complex<T, A> polar(const T& radius, const T& angle) {
  return Complex<T, A>(radius * cos(angle), radius * sin(angle));
}

}  // namespace detail

// z^p by its polar form, with the argument of the rule A.
template <class T, class A>
HOLO_FN constexpr Complex<T, A> real_power(const Complex<T, A>& z, const T& p) {
  return detail::polar<T, A>(pow(detail::modulus(z.value(), z.imaginary()), p), T(p * A::of(z.imaginary(), z.value())));
}

template <class T, class A>
HOLO_FN constexpr Complex<T, A> sqrt(const Complex<T, A>& z) {
  const T a = z.value(), b = z.imaginary();
  const T larger = sqrt(T(0.5 * (detail::modulus(a, b) + abs(a))));
  if (larger == 0.0) return z;
  const T smaller = T(abs(b)) / (2.0 * larger);
  Complex<T, A> root = a < 0.0 ? Complex<T, A>(smaller, larger) : Complex<T, A>(larger, smaller);
  if (b < 0.0) root = Complex<T, A>(root.value(), -root.imaginary());
  if constexpr (!A::halves_into_the_right_half_plane) {
    constexpr double pi = 3.14159265358979323846;
    if (A::of(b, a) > pi) root = -root;
  }
  return root;
}
// The root that is real for a real z, of either sign.
template <class T, class A>
HOLO_FN constexpr Complex<T, A> cbrt(const Complex<T, A>& z) {
  const bool reflected = z.value() < 0.0;
  const Complex<T, A> right = reflected ? -z : z;
  const T angle = A::of(right.imaginary(), right.value());
  const Complex<T, A> root = detail::polar<T, A>(cbrt(detail::modulus(z.value(), z.imaginary())), T(angle / 3.0));
  return reflected ? -root : root;
}

template <class T, class A>
HOLO_FN constexpr Complex<T, A> exp(const Complex<T, A>& z) {
  return detail::polar<T, A>(exp(z.value()), z.imaginary());
}
template <class T, class A>
HOLO_FN constexpr Complex<T, A> expm1(const Complex<T, A>& z) {
  const T half = sin(T(0.5 * z.imaginary()));
  return Complex<T, A>(expm1(z.value()) * cos(z.imaginary()) - 2.0 * half * half, exp(z.value()) * sin(z.imaginary()));
}
template <class T, class A>
HOLO_FN constexpr Complex<T, A> log(const Complex<T, A>& z) {
  const T a = abs(z.value()), b = abs(z.imaginary()), r = detail::modulus(a, b);
  const T large = max(a, b), small = min(a, b);
  const bool near_one = r > 0.5 && r < 2.0;  // the logarithm of a rounded modulus would cancel
  const T real = near_one ? T(0.5 * log1p(T((large - 1.0) * (large + 1.0) + small * small))) : T(log(r));
  return Complex<T, A>(real, A::of(z.imaginary(), z.value()));
}
template <class T, class A>
HOLO_FN constexpr Complex<T, A> log1p(const Complex<T, A>& z) {
  const T a = z.value(), b = z.imaginary(), excess = a * (2.0 + a) + b * b;
  const T real = excess > -0.5 ? T(0.5 * log1p(excess)) : T(log(detail::modulus(T(1.0 + a), b)));
  return Complex<T, A>(real, A::of(b, T(1.0 + a)));
}

template <class T, class A>
HOLO_FN constexpr Complex<T, A> sin(const Complex<T, A>& z) {
  return Complex<T, A>(sin(z.value()) * cosh(z.imaginary()), cos(z.value()) * sinh(z.imaginary()));
}
template <class T, class A>
HOLO_FN constexpr Complex<T, A> cos(const Complex<T, A>& z) {
  return Complex<T, A>(cos(z.value()) * cosh(z.imaginary()), -sin(z.value()) * sinh(z.imaginary()));
}
template <class T, class A>
HOLO_FN constexpr Complex<T, A> sinh(const Complex<T, A>& z) {
  return Complex<T, A>(sinh(z.value()) * cos(z.imaginary()), cosh(z.value()) * sin(z.imaginary()));
}
template <class T, class A>
HOLO_FN constexpr Complex<T, A> cosh(const Complex<T, A>& z) {
  return Complex<T, A>(cosh(z.value()) * cos(z.imaginary()), sinh(z.value()) * sin(z.imaginary()));
}

// (t + i h) / (1 - i t h) with t = tan x, h = tanh y; 1 - h^2 by itself, as it would cancel.
template <class T, class A>
HOLO_FN constexpr Complex<T, A> tan(const Complex<T, A>& z) {
  const T t = tan(z.value());
  const detail::Sequence<1, T> h = detail::tanh_sequence<1>(z.imaginary());
  const T divisor = 1.0 + t * t * h.d[0] * h.d[0];
  return Complex<T, A>(t * h.d[1] / divisor, h.d[0] * (1.0 + t * t) / divisor);
}
template <class T, class A>
HOLO_FN constexpr Complex<T, A> tanh(const Complex<T, A>& z) {
  const T t = tan(z.imaginary());
  const detail::Sequence<1, T> h = detail::tanh_sequence<1>(z.value());
  const T divisor = 1.0 + t * t * h.d[0] * h.d[0];
  return Complex<T, A>(h.d[0] * (1.0 + t * t) / divisor, t * h.d[1] / divisor);
}

// Kahan's forms: products of roots of 1 - z and 1 + z, whose parts have the same sign.
template <class T, class A>
HOLO_FN constexpr Complex<T, A> asin(const Complex<T, A>& z) {
  const Complex<T, A> s = sqrt(1.0 - z), t = sqrt(1.0 + z);
  return Complex<T, A>(atan2(z.value(), T(s.value() * t.value() - s.imaginary() * t.imaginary())),
                       detail::inverse_sinh(T(s.value() * t.imaginary() - s.imaginary() * t.value())));
}
template <class T, class A>
HOLO_FN constexpr Complex<T, A> acos(const Complex<T, A>& z) {
  const Complex<T, A> s = sqrt(1.0 - z), t = sqrt(1.0 + z);
  return Complex<T, A>(2.0 * atan2(s.value(), t.value()),
                       detail::inverse_sinh(T(t.value() * s.imaginary() - t.imaginary() * s.value())));
}
template <class T, class A>
HOLO_FN constexpr Complex<T, A> atan(const Complex<T, A>& z) {
  const T x = z.value(), y = z.imaginary();
  return Complex<T, A>(0.5 * atan2(T(2.0 * x), T((1.0 - x) * (1.0 + x) - y * y)),
                       0.25 * log1p(T(4.0 * y / (x * x + (1.0 - y) * (1.0 - y)))));
}

// The power series about the real part, whose even terms are real and whose odd ones are imaginary: t_k = f^(k)(x) y^k / k!
// by the recurrence of erf's derivatives. For |y| up to 5.
template <class T, class A>
HOLO_FN constexpr Complex<T, A> erf(const Complex<T, A>& z) {
  const T x = z.value(), y = z.imaginary();
  const detail::Sequence<1, T> f = detail::erf_sequence<1>(x);
  T parts[2] = {f.d[0], f.d[1] * y};  // real, imaginary
  T before = T(0.0), term = f.d[1] * y;
  bool settled = false;
  for (int k = 1; k < 400; ++k) {
    const T next = (-2.0 * x * y * term - (k > 1 ? T(2.0 * (k - 1) * y * y * before / double(k)) : T(0.0))) / double(k + 1);
    before = term, term = next;
    T& part = parts[(k + 1) % 2];
    const T sum = part + ((k + 1) % 4 < 2 ? next : T(-next));
    const bool unchanged = sum == part;
    part = sum;
    if (unchanged && settled) break;
    settled = unchanged;
  }
  return Complex<T, A>(parts[0], parts[1]);
}

}  // namespace holo
