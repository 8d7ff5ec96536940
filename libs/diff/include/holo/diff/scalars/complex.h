#pragma once
// The complex number of the complex-step derivative: f(x + i h) has the value in its real part and h f'(x) in its imaginary
// part, without a difference [Luo2019, Eq 7].
//
//   using C = Complex<double>;
//   C y = f(C::seed(2.0, 1.0));          // 2 + i h, with h = 2^-133
//   y.value(); y.derivative();           // f(2), f'(2)
//   C z = f(C(2.0, 0.125));              // any step: z.imaginary() / 0.125
//
// Not std::complex: nothing here conjugates without a word (Eigen treats it as a real number,
// holo/diff/scalars/eigen_scalars.h), abs is analytic, comparisons look at real parts, and every function keeps tiny imaginary
// parts to full relative accuracy. Principal branches, the argument in (-pi, pi]: with [0, 2 pi) a negative perturbation would
// have an argument near 2 pi, and sqrt(4 - x) the wrong sign and a derivative of 2e24.

#include <cmath>

#include "holo/diff/scalars/complex_step_number.h"

namespace holo {

struct PrincipalArgument {
  static constexpr bool halves_into_the_right_half_plane = true;
  // In (-pi, pi]: a negative zero counts as zero.
  template <class T>
  HOLO_INLINE static constexpr T of(const T& imaginary, const T& real) {
    return atan2(T(imaginary + 0.0), real);
  }
};

// T: double or wider; in float the step is subnormal. Argument: the rule for arguments of complex numbers.
template <class T, class Argument = PrincipalArgument>
class Complex : public StaysItself<Complex<T, Argument>> {
  static_assert(!std::same_as<T, float>, "Complex<float> cannot hold the step 2^-133: use double");

 public:
  using Real = T;
  using Full = Complex;
  static constexpr bool carries_derivatives = true, in_full_arithmetic = true, has_its_own_quotient = true;

  constexpr Complex() = default;  // zero
  template <class V>
  requires detail::PlainNumber<V, T> HOLO_INLINE constexpr Complex(const V& real) : real_(real) {}  // NOLINT: a real number
  HOLO_INLINE constexpr Complex(const T& real, const T& imaginary) : real_(real), imaginary_(imaginary) {}
  // value + i h direction.
  HOLO_INLINE static constexpr Complex seed(const T& value, const T& direction) {
    return Complex(value, T(direction * complex_step));
  }

  HOLO_INLINE constexpr const T& value() const { return real_; }
  HOLO_INLINE constexpr const T& imaginary() const { return imaginary_; }
  HOLO_INLINE constexpr T derivative(const T& step = T(complex_step)) const { return imaginary_ / step; }

  HOLO_INLINE constexpr Complex with_value(const T& value) const { return Complex(value, imaginary_); }
  template <class F>
  HOLO_INLINE constexpr Complex map(F f) const {
    return Complex(f(real_), f(imaginary_));
  }
  template <class F>
  HOLO_INLINE static constexpr Complex zip(const Complex& a, const Complex& b, F f) {
    return Complex(f(a.real_, b.real_), f(a.imaginary_, b.imaginary_));
  }
  HOLO_INLINE constexpr T largest() const { return max(T(abs(real_)), T(abs(imaginary_))); }
  HOLO_INLINE constexpr bool same_as(const Complex& b) const { return real_ == b.real_ && imaginary_ == b.imaginary_; }

  friend HOLO_INLINE constexpr Complex operator+(const Complex& a, const Complex& b) {
    return Complex(a.real_ + b.real_, a.imaginary_ + b.imaginary_);
  }
  friend HOLO_INLINE constexpr Complex operator-(const Complex& a, const Complex& b) {
    return Complex(a.real_ - b.real_, a.imaginary_ - b.imaginary_);
  }
  friend HOLO_INLINE constexpr Complex operator*(const Complex& a, const Complex& b) {
    return Complex(a.real_ * b.real_ - a.imaginary_ * b.imaginary_, a.real_ * b.imaginary_ + a.imaginary_ * b.real_);
  }
  // Through the ratio of the divisor's parts: nothing overflows, and for a tiny imaginary part the real part is the quotient.
  friend HOLO_INLINE constexpr Complex operator/(const Complex& a, const Complex& b) {
    if (T(abs(b.imaginary_)) <= T(abs(b.real_))) {
      const T r = b.imaginary_ / b.real_, d = b.real_ + b.imaginary_ * r;
      return Complex((a.real_ + a.imaginary_ * r) / d, (a.imaginary_ - a.real_ * r) / d);
    }
    const T r = b.real_ / b.imaginary_, d = b.real_ * r + b.imaginary_;
    return Complex((a.real_ * r + a.imaginary_) / d, (a.imaginary_ * r - a.real_) / d);
  }

  friend HOLO_INLINE constexpr bool isfinite(const Complex& a) {
    return a.real_ - a.real_ == 0.0 && a.imaginary_ - a.imaginary_ == 0.0;
  }
  friend HOLO_INLINE constexpr bool isnan(const Complex& a) { return !(a.real_ == a.real_ && a.imaginary_ == a.imaginary_); }

 private:
  T real_{}, imaginary_{};
};

}  // namespace holo

#include "holo/diff/scalars/complex_functions.h"
