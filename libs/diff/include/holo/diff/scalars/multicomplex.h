#pragma once
// Numbers with n commuting units i_k, i_k^2 = -1 [Luo2019, Eqs 22-27]: f(x + h sum_k v_k i_k) carries h^n D^n f[v_1, ..., v_n]
// in the coefficient of i_1 i_2 ... i_n, without a difference. Bit k-1 of a mask says whether i_k is a factor, as for
// holo/diff/scalars/nilpotent.h, which gives the same derivatives at regular points in 3^n instead of 4^n products.
//
//   using M = Multicomplex<2>;
//   M y = f(M::seed(2.0, {1, 1}));         // 2 + h i_1 + h i_2, with h = 2^-133
//   y.value(); y.derivative();             // f(2), f''(2)
//   y.coefficient(0b01);                   // h f'(2)
//
// Two rules for functions, as each alone fails. Where the imaginary part is small against the distance to the function's
// singular points, the power series about the real part, which does not cancel. Elsewhere the idempotents: with i_n replaced by
// i_1 and by -i_1 the function is evaluated on numbers with n - 1 units, and exp, sin, cos, sinh, cosh in their own formulas
// everywhere. The ring has zero divisors (i_1 - i_2 times i_1 + i_2 is 0): dividing by one is not finite.

#include "holo/diff/scalars/complex.h"
#include "holo/diff/scalars/multicomplex_algebra.h"

namespace holo {

template <int n, class T = double>
class Multicomplex : public StaysItself<Multicomplex<n, T>> {
  static_assert(n >= 1, "Multicomplex needs at least one unit");
  static_assert(!std::same_as<T, float>, "Multicomplex<n, float> cannot hold the step 2^-133: use double");

 public:
  using Real = T;
  using Full = Multicomplex;
  static constexpr bool carries_derivatives = true, in_full_arithmetic = true, has_its_own_quotient = true;
  static constexpr int unit_count = n, coefficient_count = 1 << n;

  constexpr Multicomplex() = default;  // zero
  template <class V>
  requires detail::PlainNumber<V, T> HOLO_INLINE constexpr Multicomplex(const V& real) {  // NOLINT: a real number
    c_[0] = real;
  }
  // value + step sum_k directions[k] i_(k+1).
  HOLO_INLINE static constexpr Multicomplex seed(const T& value, const T (&directions)[n], const T& step = T(complex_step)) {
    Multicomplex x(value);
    for (int k = 0; k < n; ++k) x.c_[1 << k] = directions[k] * step;
    return x;
  }

  HOLO_INLINE constexpr const T& value() const { return c_[0]; }
  HOLO_INLINE constexpr const T& coefficient(int mask) const { return c_[mask]; }
  HOLO_INLINE constexpr void set_coefficient(int mask, const T& value) { c_[mask] = value; }
  // Along the directions of the mask: the coefficient over the step's power.
  HOLO_INLINE constexpr T derivative(int mask, const T& step = T(complex_step)) const {
    T result = c_[mask];
    for (int k = 0; k < n; ++k)
      if (mask >> k & 1) result = result / step;
    return result;
  }
  HOLO_INLINE constexpr T derivative() const { return derivative(coefficient_count - 1); }
  HOLO_INLINE constexpr const T* data() const { return c_; }  // [coefficient_count]
  HOLO_INLINE constexpr T* data() { return c_; }

  HOLO_INLINE constexpr Multicomplex with_value(const T& value) const {
    Multicomplex result = *this;
    result.c_[0] = value;
    return result;
  }
  template <class F>
  HOLO_INLINE constexpr Multicomplex map(F f) const {
    Multicomplex result;
    for (int s = 0; s < coefficient_count; ++s) result.c_[s] = f(c_[s]);
    return result;
  }
  template <class F>
  HOLO_INLINE static constexpr Multicomplex zip(const Multicomplex& a, const Multicomplex& b, F f) {
    Multicomplex result;
    for (int s = 0; s < coefficient_count; ++s) result.c_[s] = f(a.c_[s], b.c_[s]);
    return result;
  }
  HOLO_INLINE constexpr T largest() const { return max(T(abs(c_[0])), imaginary_size()); }
  // The largest coefficient with a unit.
  HOLO_INLINE constexpr T imaginary_size() const {
    T size = T(0.0);
    for (int s = 1; s < coefficient_count; ++s) size = max(T(abs(c_[s])), size);
    return size;
  }
  HOLO_INLINE constexpr bool same_as(const Multicomplex& b) const {
    bool same = true;
    for (int s = 0; s < coefficient_count; ++s) same = same && c_[s] == b.c_[s];
    return same;
  }

  friend HOLO_INLINE constexpr Multicomplex operator+(const Multicomplex& a, const Multicomplex& b) {
    return zip(a, b, [](const T& x, const T& y) HOLO_INLINE_LAMBDA { return x + y; });
  }
  friend HOLO_INLINE constexpr Multicomplex operator-(const Multicomplex& a, const Multicomplex& b) {
    return zip(a, b, [](const T& x, const T& y) HOLO_INLINE_LAMBDA { return x - y; });
  }
  friend HOLO_FN constexpr Multicomplex operator*(const Multicomplex& a, const Multicomplex& b) {
    Multicomplex result;
    detail::multiply_multicomplex<n, 1>(a.c_, b.c_, result.c_);
    return result;
  }
  friend HOLO_FN constexpr Multicomplex operator/(const Multicomplex& a, const Multicomplex& b) {
    return detail::divide_multicomplex(a, b);
  }

  friend HOLO_INLINE constexpr bool isfinite(const Multicomplex& a) {
    bool finite = true;
    for (int s = 0; s < coefficient_count; ++s) finite = finite && a.c_[s] - a.c_[s] == 0.0;
    return finite;
  }
  friend HOLO_INLINE constexpr bool isnan(const Multicomplex& a) {
    bool number = true;
    for (int s = 0; s < coefficient_count; ++s) number = number && a.c_[s] == a.c_[s];
    return !number;
  }

 private:
  T c_[coefficient_count]{};
};

}  // namespace holo

#include "holo/diff/scalars/multicomplex_functions.h"
