#pragma once
// The value, the gradient and (order 2) the Hessian of a function of a few variables, in one number: all first and second
// derivatives at once, where nilpotent numbers (holo/diff/scalars/nilpotent.h) carry one set of directions. For energies of two
// or three invariants, psi(I1, J), whose derivatives are then chained to the deformation gradient in closed form.
//
//   using S = Jet<2, 2>;
//   S psi = energy(S::variable(0, 3.1), S::variable(1, 0.9));
//   psi.gradient(1);        // d psi / dJ
//   psi.hessian(0, 1);      // d2 psi / dI1 dJ; the symmetric half is stored
//
// The entries of a derivative that does not exist are not finite, as for nilpotent numbers.

#include "holo/diff/derivative_functions.h"

namespace holo {

template <int Order, int Variables, class Base = double>
class Jet : public StaysItself<Jet<Order, Variables, Base>> {
  static_assert(Order == 1 || Order == 2, "Jet has first derivatives (order 1) or first and second ones (order 2)");
  static_assert(Variables >= 1, "Jet needs at least one variable");

 public:
  using Real = Base;
  using Full = Jet;
  static constexpr bool carries_derivatives = true;
  static constexpr int order = Order, variable_count = Variables;
  static constexpr int hessian_size = Order == 2 ? Variables * (Variables + 1) / 2 : 0;
  static constexpr int entry_count = 1 + Variables + hessian_size;

  constexpr Jet() = default;  // zero
  template <class T>
  requires detail::PlainNumber<T, Base> HOLO_INLINE constexpr Jet(const T& value) {  // NOLINT: a constant has no derivatives
    entries_[0] = value;
  }
  // The variable `index` of `Variables`.
  HOLO_INLINE static constexpr Jet variable(int index, const Base& value) {
    Jet x(value);
    x.entries_[1 + index] = Base(1.0);
    return x;
  }

  HOLO_INLINE constexpr const Base& value() const { return entries_[0]; }
  HOLO_INLINE constexpr const Base& gradient(int i) const { return entries_[1 + i]; }
  HOLO_INLINE constexpr const Base& hessian(int i, int j) const requires(Order == 2) { return entries_[at(i, j)]; }
  HOLO_INLINE constexpr void set_gradient(int i, const Base& value) { entries_[1 + i] = value; }
  HOLO_INLINE constexpr void set_hessian(int i, int j, const Base& value) requires(Order == 2) { entries_[at(i, j)] = value; }

  // f of this number, from f, f', f'' at its value.
  HOLO_INLINE constexpr Jet compose(const Base* d) const {
    Jet result(d[0]);
    detail::unroll<1, entry_count - 1>([&](int e) HOLO_INLINE_LAMBDA { result.entries_[e] = d[1] * entries_[e]; });
    if constexpr (Order == 2)
      for_each_pair([&](int e, int i, int j) HOLO_INLINE_LAMBDA {
        result.entries_[e] = result.entries_[e] + d[2] * (entries_[1 + i] * entries_[1 + j]);
      });
    return result;
  }
  HOLO_INLINE constexpr Jet with_value(const Base& value) const {
    Jet result = *this;
    result.entries_[0] = value;
    return result;
  }
  template <class F>
  HOLO_INLINE constexpr Jet map(F f) const {
    Jet result;
    detail::unroll<0, entry_count>([&](int e) HOLO_INLINE_LAMBDA { result.entries_[e] = f(entries_[e]); });
    return result;
  }
  template <class F>
  HOLO_INLINE static constexpr Jet zip(const Jet& a, const Jet& b, F f) {
    Jet result;
    detail::unroll<0, entry_count>([&](int e) HOLO_INLINE_LAMBDA { result.entries_[e] = f(a.entries_[e], b.entries_[e]); });
    return result;
  }

  friend HOLO_INLINE constexpr Jet operator+(const Jet& a, const Jet& b) {
    return zip(a, b, [](const Base& x, const Base& y) HOLO_INLINE_LAMBDA { return x + y; });
  }
  friend HOLO_INLINE constexpr Jet operator-(const Jet& a, const Jet& b) {
    return zip(a, b, [](const Base& x, const Base& y) HOLO_INLINE_LAMBDA { return x - y; });
  }
  friend HOLO_INLINE constexpr Jet operator*(const Jet& a, const Jet& b) {
    Jet result;
    result.entries_[0] = a.entries_[0] * b.entries_[0];
    detail::unroll<1, entry_count - 1>(
        [&](int e) HOLO_INLINE_LAMBDA { result.entries_[e] = a.entries_[0] * b.entries_[e] + a.entries_[e] * b.entries_[0]; });
    if constexpr (Order == 2)
      for_each_pair([&](int e, int i, int j)
                        HOLO_INLINE_LAMBDA { result.entries_[e] = result.entries_[e] + cross(a, b, i, j); });
    return result;
  }
  // a = q b solved for the entries of q, order by order.
  friend HOLO_INLINE constexpr Jet operator/(const Jet& a, const Jet& b) {
    const Base inverse = 1.0 / b.entries_[0];
    Jet q(Base(a.entries_[0] / b.entries_[0]));
    detail::unroll<1, Variables>(
        [&](int e) HOLO_INLINE_LAMBDA { q.entries_[e] = (a.entries_[e] - q.entries_[0] * b.entries_[e]) * inverse; });
    if constexpr (Order == 2)
      for_each_pair([&](int e, int i, int j) HOLO_INLINE_LAMBDA {
        q.entries_[e] = (a.entries_[e] - q.entries_[0] * b.entries_[e] - cross(q, b, i, j)) * inverse;
      });
    return q;
  }

  // Whether all entries are finite: over lanes a mask, one answer for each evaluation point.
  friend HOLO_INLINE constexpr auto isfinite(const Jet& a) {
    auto result = a.entries_[0] - a.entries_[0] == 0.0;
    for (int e = 1; e < entry_count; ++e) result = result & (a.entries_[e] - a.entries_[e] == 0.0);
    return result;
  }
  friend HOLO_INLINE constexpr auto isnan(const Jet& a) {
    auto result = a.entries_[0] == a.entries_[0];
    for (int e = 1; e < entry_count; ++e) result = result & (a.entries_[e] == a.entries_[e]);
    return !result;
  }

 private:
  // Value, gradient, then the Hessian's lower half by rows.
  HOLO_INLINE static constexpr int at(int i, int j) {
    return 1 + Variables + (i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i);
  }
  template <class F>
  HOLO_INLINE static constexpr void for_each_pair(F f) {
    detail::unroll<0, Variables>([&](int i) HOLO_INLINE_LAMBDA {
      detail::unroll<0, Variables>([&](int j) HOLO_INLINE_LAMBDA {
        if (j <= i) f(at(i, j), i, j);
      });
    });
  }
  HOLO_INLINE static constexpr Base cross(const Jet& a, const Jet& b, int i, int j) {
    return a.entries_[1 + i] * b.entries_[1 + j] + a.entries_[1 + j] * b.entries_[1 + i];
  }

  Base entries_[entry_count]{};
};

}  // namespace holo
