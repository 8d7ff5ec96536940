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
// Nilpotent<8>                               orders from six on run loops: compiled in seconds, slower than unrolled code
//
// The coefficient of a derivative that does not exist is not finite (sqrt at 0 gives inf, and inf * 0 is NaN). It is not
// replaced here, because the required information was lost in an earlier operation. The drivers (holo/diff/drivers.h) report
// it.

#include <concepts>
#include <type_traits>

#include "holo/core/host_device.h"
#include "holo/diff/derivative_functions.h"
#include "holo/diff/scalars/nilpotent_algebra.h"
#include "holo/diff/unroll.h"

namespace holo {

// Coefficients without eps_Order are of type Base, those with it of type Last.
template <int Order, class Base = double, class Last = Base>
class Nilpotent;

namespace detail {

// Coefficients without and with the last unit: one array where they are of one type.
template <int half, class Base, class Last>
struct NilpotentStorage {
  Base lower[half]{};
  Last upper[half]{};

  constexpr NilpotentStorage() = default;
  // One by one: as a whole, with its padding, the compiler copies a number just written by a load that its processor must wait
  // for.
  HOLO_INLINE constexpr NilpotentStorage(const NilpotentStorage& other) { copy(other); }
  HOLO_INLINE constexpr NilpotentStorage& operator=(const NilpotentStorage& other) {
    copy(other);
    return *this;
  }
  HOLO_INLINE constexpr void copy(const NilpotentStorage& other) {
    unroll<0, half>([&](int s) HOLO_INLINE_LAMBDA { lower[s] = other.lower[s]; });
    unroll<0, half>([&](int s) HOLO_INLINE_LAMBDA { upper[s] = other.upper[s]; });
  }

  HOLO_INLINE constexpr Base* low() { return lower; }
  HOLO_INLINE constexpr const Base* low() const { return lower; }
  HOLO_INLINE constexpr Last* high() { return upper; }
  HOLO_INLINE constexpr const Last* high() const { return upper; }
};
template <int half, class Base>
struct NilpotentStorage<half, Base, Base> {
  Base all[2 * half]{};
  HOLO_INLINE constexpr Base* low() { return all; }
  HOLO_INLINE constexpr const Base* low() const { return all; }
  HOLO_INLINE constexpr Base* high() { return all + half; }
  HOLO_INLINE constexpr const Base* high() const { return all + half; }
};

template <class T>
inline constexpr bool is_nilpotent = false;
template <int Order, class Base, class Last>
inline constexpr bool is_nilpotent<Nilpotent<Order, Base, Last>> = true;

}  // namespace detail

template <class T>
concept NilpotentNumber = detail::is_nilpotent<T>;

template <int Order, class Base, class Last>
class Nilpotent : public StaysItself<Nilpotent<Order, Base, Last>> {
  static_assert(Order >= 1, "Nilpotent needs at least one unit; plain numbers have none");

 public:
  using Real = Base;
  using Full = Nilpotent;
  static constexpr bool carries_derivatives = true;
  static constexpr int order = Order;
  static constexpr int coefficient_count = 1 << Order;
  static constexpr bool uniform = std::same_as<Base, Last>;  // one type for all coefficients

  constexpr Nilpotent() = default;  // zero
  template <class T>
  requires detail::PlainNumber<T, Base> HOLO_INLINE constexpr Nilpotent(
      const T& value) {  // NOLINT: a constant has no direction
    low()[0] = value;
  }

  // value + sum_k directions[k] eps_(k+1).
  HOLO_INLINE static constexpr Nilpotent seed(const Base& value, const Base (&directions)[Order]) requires uniform {
    Nilpotent x(value);
    detail::unroll<0, Order - 1>([&](int k) HOLO_INLINE_LAMBDA { x.low()[1 << k] = directions[k]; });
    x.high()[0] = directions[Order - 1];
    return x;
  }
  // value + last eps_Order; set_coefficient gives the other units theirs.
  HOLO_INLINE static constexpr Nilpotent seed_last(const Base& value, const Last& last) {
    Nilpotent x(value);
    x.high()[0] = last;
    return x;
  }

  HOLO_INLINE constexpr const Base& value() const { return low()[0]; }

  // The coefficient of the product of the units in `mask`: the derivative along those directions.
  HOLO_INLINE constexpr const Base& coefficient(int mask) const requires uniform { return low()[mask]; }
  template <int mask>
  HOLO_INLINE constexpr const auto& coefficient() const {
    static_assert(mask >= 0 && mask < coefficient_count, "the mask names a unit that this number does not have");
    if constexpr (mask < half)
      return low()[mask];
    else
      return high()[mask - half];
  }
  template <int mask, class T>
  HOLO_INLINE constexpr void set_coefficient(const T& value) {
    static_assert(mask >= 0 && mask < coefficient_count, "the mask names a unit that this number does not have");
    if constexpr (mask < half)
      low()[mask] = value;
    else
      high()[mask - half] = value;
  }
  // The derivative along all directions.
  HOLO_INLINE constexpr const Last& derivative() const { return high()[half - 1]; }

  // f of this number, from the derivatives d[k] = f^(k)(value()), k = 0 ... Order.
  HOLO_INLINE constexpr Nilpotent compose(const Base* d) const {
    Nilpotent result;
    detail::compose<Order - 1>(d, low(), result.low());
    Base slope[half];
    detail::compose<Order - 1>(d + 1, low(), slope);
    detail::multiply<Order - 1>(slope, high(), result.high());
    return result;
  }

  // The number with another real part.
  HOLO_INLINE constexpr Nilpotent with_value(const Base& value) const {
    Nilpotent result = *this;
    result.low()[0] = value;
    return result;
  }
  // f of every coefficient, and of every pair of coefficients.
  template <class F>
  HOLO_INLINE constexpr Nilpotent map(F f) const {
    Nilpotent result;
    detail::unroll<0, half>([&](int s) HOLO_INLINE_LAMBDA { result.low()[s] = f(low()[s]); });
    detail::unroll<0, half>([&](int s) HOLO_INLINE_LAMBDA { result.high()[s] = f(high()[s]); });
    return result;
  }
  template <class F>
  HOLO_INLINE static constexpr Nilpotent zip(const Nilpotent& a, const Nilpotent& b, F f) {
    Nilpotent result;
    detail::unroll<0, half>([&](int s) HOLO_INLINE_LAMBDA { result.low()[s] = f(a.low()[s], b.low()[s]); });
    detail::unroll<0, half>([&](int s) HOLO_INLINE_LAMBDA { result.high()[s] = f(a.high()[s], b.high()[s]); });
    return result;
  }

  friend HOLO_INLINE constexpr Nilpotent operator+(const Nilpotent& a, const Nilpotent& b) {
    return zip(a, b, [](const auto& x, const auto& y) HOLO_INLINE_LAMBDA { return x + y; });
  }
  friend HOLO_INLINE constexpr Nilpotent operator-(const Nilpotent& a, const Nilpotent& b) {
    return zip(a, b, [](const auto& x, const auto& y) HOLO_INLINE_LAMBDA { return x - y; });
  }
  friend HOLO_INLINE constexpr Nilpotent operator*(const Nilpotent& a, const Nilpotent& b) {
    Nilpotent result;
    detail::multiply<Order - 1>(a.low(), b.low(), result.low());
    detail::multiply<Order - 1>(a.low(), b.high(), result.high());
    detail::multiply_add<Order - 1>(b.low(), a.high(), result.high());
    return result;
  }
  friend HOLO_INLINE constexpr Nilpotent operator/(const Nilpotent& a, const Nilpotent& b) {
    Nilpotent result = a;
    result.divide_by(b);
    return result;
  }

  // Whether all coefficients are finite: over lanes a mask, one answer for each evaluation point.
  friend HOLO_INLINE constexpr auto isfinite(const Nilpotent& a) {
    return a.all_of([](const auto& x) HOLO_INLINE_LAMBDA { return x - x == 0.0; });
  }
  friend HOLO_INLINE constexpr auto isnan(const Nilpotent& a) {
    return !a.all_of([](const auto& x) HOLO_INLINE_LAMBDA { return x == x; });
  }

 private:
  static constexpr int half = 1 << (Order - 1);

  HOLO_INLINE constexpr void divide_by(const Nilpotent& b) {
    const Base inverse = 1.0 / b.low()[0];
    detail::divide<Order - 1, true>(low(), b.low(), inverse);
    // (q - s u) / r with the quotient u of the lower units, where s = b.high() may be of another type than u
    Last correction[half];
    detail::multiply<Order - 1>(low(), b.high(), correction);
    detail::unroll<0, half>([&](int s) HOLO_INLINE_LAMBDA { high()[s] = high()[s] - correction[s]; });
    detail::divide<Order - 1, false>(high(), b.low(), inverse);
  }

  template <class Predicate>
  HOLO_INLINE constexpr auto all_of(Predicate predicate) const {
    auto result = predicate(low()[0]);
    if constexpr (uniform) {
      for (int s = 1; s < half; ++s) result = result & predicate(low()[s]);
      for (int s = 0; s < half; ++s) result = result & predicate(high()[s]);
    } else {  // one number, several directions
      for (int s = 1; s < half; ++s) result = result && predicate(low()[s]);
      for (int s = 0; s < half; ++s) result = result && all(predicate(high()[s]));
    }
    return result;
  }

  HOLO_INLINE constexpr Base* low() { return storage_.low(); }
  HOLO_INLINE constexpr const Base* low() const { return storage_.low(); }
  HOLO_INLINE constexpr Last* high() { return storage_.high(); }
  HOLO_INLINE constexpr const Last* high() const { return storage_.high(); }

  detail::NilpotentStorage<half, Base, Last> storage_;
};

}  // namespace holo
