#pragma once
// The accelerated complex step as [Luo2019] prints it, for comparisons alone: the library's own is
// holo/diff/scalars/nilpotent.h, the same idea without a step. The real part is the plain value. The imaginary part is carried
// to first order; each function sees the step h in its place (Eq 17), with the modulus r = sqrt(a^2 + h^2) where the paper
// keeps it (Eqs 10, 42, 46), so that the result still depends on the step.
//
//   using A = AcceleratedPaper<double>;
//   A y = pow(A(2.0, h), 1.0 / 3);         // y.imaginary() / h is r^(1/3) / (3 r), Eq 10
//
// At singular points its answers are finite and wrong: holo/diff/scalars/nilpotent.h gives NaN there.

#include <cmath>
#include <span>

#include "holo/diff/scalars/complex_step_number.h"

namespace holo {

template <class T>
class AcceleratedPaper : public StaysItself<AcceleratedPaper<T>> {
  static_assert(!std::same_as<T, float>, "AcceleratedPaper<float> cannot hold the step 2^-133: use double");

 public:
  using Real = T;
  using Full = AcceleratedPaper;
  static constexpr bool carries_derivatives = true, has_its_own_quotient = true;
  static constexpr int order = 1;

  constexpr AcceleratedPaper() = default;  // zero
  template <class V>
  requires detail::PlainNumber<V, T> HOLO_INLINE constexpr AcceleratedPaper(const V& real) : real_(real) {}  // NOLINT
  // real + i step.
  HOLO_INLINE constexpr AcceleratedPaper(const T& real, const T& step) : AcceleratedPaper(real, step, step) {}
  HOLO_INLINE constexpr AcceleratedPaper(const T& real, const T& imaginary, const T& step)
      : real_(real), imaginary_(imaginary), step_(step) {}
  HOLO_INLINE static constexpr AcceleratedPaper seed(const T& value, const T& direction) {
    return AcceleratedPaper(value, T(direction * complex_step), T(complex_step));
  }

  HOLO_INLINE constexpr const T& value() const { return real_; }
  HOLO_INLINE constexpr const T& imaginary() const { return imaginary_; }
  HOLO_INLINE constexpr const T& step() const { return step_; }  // 0 for a constant
  HOLO_INLINE constexpr T derivative() const { return step_ == 0.0 ? T(0.0) : T(imaginary_ / step_); }
  HOLO_INLINE constexpr T modulus() const { return hypot(real_, step_); }

  // By equivalent infinitesimals, sin h ~ h and e^h ~ 1 + h: the value and the slope times the imaginary part.
  HOLO_INLINE constexpr AcceleratedPaper compose(const T* d) const { return AcceleratedPaper(d[0], d[1] * imaginary_, step_); }
  HOLO_INLINE constexpr AcceleratedPaper with_value(const T& value) const { return AcceleratedPaper(value, imaginary_, step_); }
  template <class F>
  HOLO_INLINE constexpr AcceleratedPaper map(F f) const {
    return AcceleratedPaper(f(real_), f(imaginary_), step_);
  }
  template <class F>
  HOLO_INLINE static constexpr AcceleratedPaper zip(const AcceleratedPaper& a, const AcceleratedPaper& b, F f) {
    return AcceleratedPaper(f(a.real_, b.real_), f(a.imaginary_, b.imaginary_), step_of(a, b));
  }

  friend HOLO_INLINE constexpr AcceleratedPaper operator+(const AcceleratedPaper& a, const AcceleratedPaper& b) {
    return AcceleratedPaper(a.real_ + b.real_, a.imaginary_ + b.imaginary_, step_of(a, b));
  }
  friend HOLO_INLINE constexpr AcceleratedPaper operator-(const AcceleratedPaper& a, const AcceleratedPaper& b) {
    return AcceleratedPaper(a.real_ - b.real_, a.imaginary_ - b.imaginary_, step_of(a, b));
  }
  // a_1 a_2 + i (a_1 b_2 + b_1 a_2): addends with two imaginary parts are dropped (Fig 4).
  friend HOLO_INLINE constexpr AcceleratedPaper operator*(const AcceleratedPaper& a, const AcceleratedPaper& b) {
    return AcceleratedPaper(a.real_ * b.real_, a.real_ * b.imaginary_ + a.imaginary_ * b.real_, step_of(a, b));
  }
  // Times the conjugate over r^2 (Eq 42).
  friend HOLO_INLINE constexpr AcceleratedPaper operator/(const AcceleratedPaper& a, const AcceleratedPaper& b) {
    const T squared = b.real_ * b.real_ + b.step_ * b.step_;
    return AcceleratedPaper(a.real_ / b.real_, (a.imaginary_ * b.real_ - a.real_ * b.imaginary_) / squared, step_of(a, b));
  }
  friend HOLO_INLINE constexpr bool isfinite(const AcceleratedPaper& a) {
    return a.real_ - a.real_ == 0.0 && a.imaginary_ - a.imaginary_ == 0.0;
  }
  friend HOLO_INLINE constexpr bool isnan(const AcceleratedPaper& a) {
    return !(a.real_ == a.real_ && a.imaginary_ == a.imaginary_);
  }

 private:
  HOLO_INLINE static constexpr T step_of(const AcceleratedPaper& a, const AcceleratedPaper& b) {
    return a.step_ == 0.0 ? b.step_ : a.step_;
  }

  T real_{}, imaginary_{}, step_{};
};

// Eq 10: im = p r^p b / r. Like the paper's phi = h / r (Eq 9) it holds for a positive real part.
template <class T, std::floating_point P>
HOLO_INLINE constexpr AcceleratedPaper<T> pow(const AcceleratedPaper<T>& x, P exponent) {
  const T r = x.modulus();
  return AcceleratedPaper<T>(pow(x.value(), T(exponent)), T(exponent) * (pow(r, T(exponent)) / r) * x.imaginary(), x.step());
}
template <class T>
HOLO_INLINE constexpr AcceleratedPaper<T> sqrt(const AcceleratedPaper<T>& x) {
  const T r = x.modulus();
  return AcceleratedPaper<T>(sqrt(x.value()), 0.5 * (sqrt(r) / r) * x.imaginary(), x.step());
}
template <class T>
HOLO_INLINE constexpr AcceleratedPaper<T> cbrt(const AcceleratedPaper<T>& x) {
  const T r = x.modulus();
  return AcceleratedPaper<T>(cbrt(x.value()), cbrt(r) / (3.0 * r) * x.imaginary(), x.step());
}
// Eq 46 with phi = h / r.
template <class T>
HOLO_INLINE constexpr AcceleratedPaper<T> log(const AcceleratedPaper<T>& x) {
  return AcceleratedPaper<T>(log(x.value()), x.imaginary() / x.modulus(), x.step());
}

// Eq 17: the imaginary part is set to the step again, and the ratio by which it had changed is given back. The product of the
// ratios is the derivative of the nested functions (Eq 16).
template <class T>
HOLO_INLINE constexpr T isolate(AcceleratedPaper<T>& x) {
  const T ratio = x.derivative();
  x = AcceleratedPaper<T>(x.value(), x.step());
  return ratio;
}

// The product of a chain of factors by its leaves, sum_k (A / f_k) b_k with A the product of all values (Eqs 12 and 13). A
// factor smaller than `threshold` takes the product of the others instead.
template <class T>
HOLO_FN constexpr AcceleratedPaper<T> product_by_leaves(std::span<const AcceleratedPaper<T>> factors,
                                                        const T& threshold = T(1e-16)) {
  T product = T(1.0), imaginary = T(0.0), step = T(0.0);
  for (const auto& f : factors) product = product * f.value();
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const T value = factors[k].value();
    T others = T(1.0);
    if (T(abs(value)) > threshold)
      others = product / value;
    else
      for (std::size_t j = 0; j < factors.size(); ++j)
        if (j != k) others = others * factors[j].value();
    imaginary = imaginary + others * factors[k].imaginary();
    step = step == 0.0 ? factors[k].step() : step;
  }
  return AcceleratedPaper<T>(product, imaginary, step);
}

// The same by a running product, without division and without a threshold, in any scalar: what the library recommends.
template <class S>
HOLO_INLINE constexpr S running_product(std::span<const S> factors) {
  S product(1.0);
  for (const S& f : factors) product = product * f;
  return product;
}

}  // namespace holo
