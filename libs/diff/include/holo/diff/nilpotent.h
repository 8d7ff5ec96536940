#pragma once
// The complex-step scalar: a number with `Order` nilpotent units, eps_k^2 = 0, stored as its 2^Order coefficients. A function
// evaluated at x + sum_k v_k eps_k carries its value in the real part and the mixed derivative D^|S| f [v_k, k in S] in the
// coefficient of the product of the eps_k of S, exactly: no step size, no cancellation. This is the accelerated complex step of
// [Luo2019] Eqs 26-28 (the multicomplex step of size h without its terms of order h^2, where h cancels), and the same algebra
// as dual and hyper-dual numbers.
//
//   using S = Nilpotent<2>;
//   S x = S::seed(2.0, {1, 0}), y = S::seed(3.0, {0, 1});     // directions e_x and e_y
//   S f = x * x * exp(y);
//   f.value();              // f
//   f.coefficient(0b01);    // df/dx
//   f.coefficient(0b11);    // d2f/dx dy
//
// Nilpotent<1, Lanes<double, 8>>             eight evaluation points at once; choices by select, min, max, abs
// Nilpotent<1, double, Lanes<double, 8>>     one point, eight directions: a function's cost is paid once
// Nilpotent<2, double, Lanes<double, 8>>     one shared first direction with each of eight second directions
//
// Where a derivative does not exist its coefficient is not finite (sqrt at 0 gives inf, and inf * 0 is NaN): it is never
// repaired here, as the information is lost further up. The drivers (holo/diff/drivers.h) report it.

#include <concepts>
#include <type_traits>

#include "holo/core/host_device.h"
#include "holo/diff/elementary.h"
#include "holo/diff/kinks.h"
#include "holo/diff/nilpotent_algebra.h"

namespace holo {

// Coefficients without eps_Order are of type Base, those with it of type Last.
template <int Order, class Base = double, class Last = Base>
class Nilpotent;

namespace detail {

template <class T>
inline constexpr bool is_nilpotent = false;
template <int Order, class Base, class Last>
inline constexpr bool is_nilpotent<Nilpotent<Order, Base, Last>> = true;

// Numbers that an operation takes as they are, without widening them to a nilpotent number with zero coefficients.
template <class T, class Base>
concept PlainNumber = (std::is_arithmetic_v<T> && !std::same_as<T, bool>) || std::same_as<T, Base>;

template <class T, class Base>
HOLO_INLINE constexpr decltype(auto) plain(const T& value) {
  if constexpr (std::integral<T>)
    return static_cast<double>(value);  // lanes know no product with an integer
  else
    return (value);
}

// select for conditions of one number, where each coefficient may itself be lanes, and for masks.
template <class Condition, class T>
HOLO_INLINE constexpr T choose(const Condition& condition, const T& a, const T& b) {
  if constexpr (std::same_as<Condition, bool>)
    return condition ? a : b;
  else
    return select(condition, a, b);
}

template <class...>
inline constexpr bool never = false;

}  // namespace detail

template <class T>
concept NilpotentNumber = detail::is_nilpotent<T>;

template <int Order, class Base, class Last>
class Nilpotent {
  static_assert(Order >= 1, "Nilpotent needs at least one unit; plain numbers have none");

 public:
  using Real = Base;
  static constexpr int order = Order;
  static constexpr int coefficient_count = 1 << Order;
  static constexpr bool uniform = std::same_as<Base, Last>;  // one type for all coefficients

  constexpr Nilpotent() = default;  // zero
  template <class T>
  requires detail::PlainNumber<T, Base> HOLO_INLINE constexpr Nilpotent(
      const T& value) {  // NOLINT: a constant has no direction
    low_[0] = value;
  }

  // value + sum_k directions[k] eps_(k+1).
  HOLO_INLINE static constexpr Nilpotent seed(const Base& value, const Base (&directions)[Order]) requires uniform {
    Nilpotent x(value);
    for (int k = 0; k + 1 < Order; ++k) x.low_[1 << k] = directions[k];
    x.high_[0] = directions[Order - 1];
    return x;
  }
  // value + last eps_Order; set_coefficient gives the other units theirs.
  HOLO_INLINE static constexpr Nilpotent seed_last(const Base& value, const Last& last) {
    Nilpotent x(value);
    x.high_[0] = last;
    return x;
  }

  HOLO_INLINE constexpr const Base& value() const { return low_[0]; }

  // The coefficient of the product of the units in `mask`: the derivative along those directions.
  HOLO_INLINE constexpr const Base& coefficient(int mask) const requires uniform {
    return mask < half ? low_[mask] : high_[mask - half];
  }
  template <int mask>
  HOLO_INLINE constexpr const auto& coefficient() const {
    static_assert(mask >= 0 && mask < coefficient_count, "the mask names a unit that this number does not have");
    if constexpr (mask < half)
      return low_[mask];
    else
      return high_[mask - half];
  }
  template <int mask, class T>
  HOLO_INLINE constexpr void set_coefficient(const T& value) {
    static_assert(mask >= 0 && mask < coefficient_count, "the mask names a unit that this number does not have");
    if constexpr (mask < half)
      low_[mask] = value;
    else
      high_[mask - half] = value;
  }
  // The derivative along all directions.
  HOLO_INLINE constexpr const Last& derivative() const { return high_[half - 1]; }

  // f of this number, from the derivatives d[k] = f^(k)(value()), k = 0 ... Order.
  HOLO_INLINE constexpr Nilpotent compose(const Base* d) const {
    Nilpotent result;
    detail::compose<Order - 1>(d, low_, result.low_);
    Base slope[half];
    detail::compose<Order - 1>(d + 1, low_, slope);
    detail::multiply<Order - 1>(slope, high_, result.high_);
    return result;
  }

  template <class F>
  HOLO_INLINE static constexpr Nilpotent zip(const Nilpotent& a, const Nilpotent& b, F f) {
    Nilpotent result;
    for (int s = 0; s < half; ++s) result.low_[s] = f(a.low_[s], b.low_[s]);
    for (int s = 0; s < half; ++s) result.high_[s] = f(a.high_[s], b.high_[s]);
    return result;
  }

  friend HOLO_INLINE constexpr Nilpotent operator+(const Nilpotent& a) { return a; }
  friend HOLO_INLINE constexpr Nilpotent operator-(const Nilpotent& a) {
    return zip(a, a, [](const auto& x, const auto&) HOLO_INLINE_LAMBDA { return -x; });
  }
  friend HOLO_INLINE constexpr Nilpotent operator+(const Nilpotent& a, const Nilpotent& b) {
    return zip(a, b, [](const auto& x, const auto& y) HOLO_INLINE_LAMBDA { return x + y; });
  }
  friend HOLO_INLINE constexpr Nilpotent operator-(const Nilpotent& a, const Nilpotent& b) {
    return zip(a, b, [](const auto& x, const auto& y) HOLO_INLINE_LAMBDA { return x - y; });
  }
  friend HOLO_INLINE constexpr Nilpotent operator*(const Nilpotent& a, const Nilpotent& b) {
    Nilpotent result;
    detail::multiply<Order - 1>(a.low_, b.low_, result.low_);
    detail::multiply<Order - 1>(a.low_, b.high_, result.high_);
    detail::multiply_add<Order - 1>(b.low_, a.high_, result.high_);
    return result;
  }
  friend HOLO_INLINE constexpr Nilpotent operator/(const Nilpotent& a, const Nilpotent& b) {
    Nilpotent result = a;
    result.divide_by(b);
    return result;
  }

  template <detail::PlainNumber<Base> T>
  friend HOLO_INLINE constexpr Nilpotent operator+(const Nilpotent& a, const T& b) {
    Nilpotent result = a;
    result.low_[0] = a.low_[0] + detail::plain<T, Base>(b);
    return result;
  }
  template <detail::PlainNumber<Base> T>
  friend HOLO_INLINE constexpr Nilpotent operator+(const T& a, const Nilpotent& b) {
    return b + a;
  }
  template <detail::PlainNumber<Base> T>
  friend HOLO_INLINE constexpr Nilpotent operator-(const Nilpotent& a, const T& b) {
    Nilpotent result = a;
    result.low_[0] = a.low_[0] - detail::plain<T, Base>(b);
    return result;
  }
  template <detail::PlainNumber<Base> T>
  friend HOLO_INLINE constexpr Nilpotent operator-(const T& a, const Nilpotent& b) {
    Nilpotent result = -b;
    result.low_[0] = detail::plain<T, Base>(a) - b.low_[0];
    return result;
  }
  template <detail::PlainNumber<Base> T>
  friend HOLO_INLINE constexpr Nilpotent operator*(const Nilpotent& a, const T& b) {
    const Base factor = detail::plain<T, Base>(b);
    return zip(a, a, [&](const auto& x, const auto&) HOLO_INLINE_LAMBDA { return factor * x; });
  }
  template <detail::PlainNumber<Base> T>
  friend HOLO_INLINE constexpr Nilpotent operator*(const T& a, const Nilpotent& b) {
    return b * a;
  }
  template <detail::PlainNumber<Base> T>
  friend HOLO_INLINE constexpr Nilpotent operator/(const Nilpotent& a, const T& b) {
    const Base divisor = detail::plain<T, Base>(b);
    return zip(a, a, [&](const auto& x, const auto&) HOLO_INLINE_LAMBDA { return x / divisor; });
  }
  template <detail::PlainNumber<Base> T>
  friend HOLO_INLINE constexpr Nilpotent operator/(const T& a, const Nilpotent& b) {
    // d^k/db^k (a/b) = -k/b d^(k-1)/db^(k-1) (a/b)
    Base d[Order + 1];
    d[0] = detail::plain<T, Base>(a) / b.low_[0];
    const Base inverse = 1.0 / b.low_[0];
    for (int k = 1; k <= Order; ++k) d[k] = double(-k) * d[k - 1] * inverse;
    return b.compose(d);
  }

  template <class T>
  HOLO_INLINE constexpr Nilpotent& operator+=(const T& b) {
    return *this = *this + b;
  }
  template <class T>
  HOLO_INLINE constexpr Nilpotent& operator-=(const T& b) {
    return *this = *this - b;
  }
  template <class T>
  HOLO_INLINE constexpr Nilpotent& operator*=(const T& b) {
    return *this = *this * b;
  }
  template <class T>
  HOLO_INLINE constexpr Nilpotent& operator/=(const T& b) {
    return *this = *this / b;
  }

  // Comparisons look at real parts alone [2024 paper, 5.4]: a bool, or over lanes a mask, which `if` refuses.
#define HOLO_NILPOTENT_COMPARISON(op)                                                                                      \
  friend HOLO_INLINE constexpr auto operator op(const Nilpotent& a, const Nilpotent& b) { return a.low_[0] op b.low_[0]; } \
  template <detail::PlainNumber<Base> T>                                                                                   \
  friend HOLO_INLINE constexpr auto operator op(const Nilpotent& a, const T& b) {                                          \
    return a.low_[0] op detail::plain<T, Base>(b);                                                                         \
  }                                                                                                                        \
  template <detail::PlainNumber<Base> T>                                                                                   \
  friend HOLO_INLINE constexpr auto operator op(const T& a, const Nilpotent& b) {                                          \
    return detail::plain<T, Base>(a) op b.low_[0];                                                                         \
  }
  HOLO_NILPOTENT_COMPARISON(<)
  HOLO_NILPOTENT_COMPARISON(<=)
  HOLO_NILPOTENT_COMPARISON(>)
  HOLO_NILPOTENT_COMPARISON(>=)
  HOLO_NILPOTENT_COMPARISON(==)
  HOLO_NILPOTENT_COMPARISON(!=)
#undef HOLO_NILPOTENT_COMPARISON

  // Whether all coefficients are finite: over lanes a mask, one answer for each evaluation point.
  friend HOLO_INLINE constexpr auto isfinite(const Nilpotent& a) {
    return a.all_of([](const auto& x) HOLO_INLINE_LAMBDA { return x - x == 0.0; });
  }
  friend HOLO_INLINE constexpr auto isnan(const Nilpotent& a) {
    return !a.all_of([](const auto& x) HOLO_INLINE_LAMBDA { return x == x; });
  }

  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr operator T() const {  // NOLINT: implicit, so that it is found and refused wherever it would happen
    static_assert(
        detail::never<T>,
        "A derivative type does not turn into a plain number, as its derivatives would be lost: keep the scalar type S of "
        "the function template, or call value() at the very end.");
    return T();
  }

 private:
  static constexpr int half = 1 << (Order - 1);

  HOLO_INLINE constexpr void divide_by(const Nilpotent& b) {
    const Base inverse = 1.0 / b.low_[0];
    detail::divide<Order - 1, true>(low_, b.low_, inverse);
    // (q - s u) / r with the quotient u of the lower units, where s = b.high_ may be of another type than u
    Last correction[half];
    detail::multiply<Order - 1>(low_, b.high_, correction);
    for (int s = 0; s < half; ++s) high_[s] = high_[s] - correction[s];
    detail::divide<Order - 1, false>(high_, b.low_, inverse);
  }

  template <class Predicate>
  HOLO_INLINE constexpr auto all_of(Predicate predicate) const {
    auto result = predicate(low_[0]);
    if constexpr (uniform) {
      for (int s = 1; s < half; ++s) result = result & predicate(low_[s]);
      for (int s = 0; s < half; ++s) result = result & predicate(high_[s]);
    } else {  // one number, several directions
      for (int s = 1; s < half; ++s) result = result && predicate(low_[s]);
      for (int s = 0; s < half; ++s) result = result && all(predicate(high_[s]));
    }
    return result;
  }

  Base low_[half]{};
  Last high_[half]{};
};

}  // namespace holo

#include "holo/diff/nilpotent_functions.h"
