#pragma once
// The value, gradient and Hessian of a function of a few variables in one number, as Jet<2, Variables, Base>
// (holo/diff/scalars/jet.h), for code that must compile fast rather than run fast: its operations are not inlined, so that a
// function of a hundred operations becomes a hundred calls.

#include "holo/diff/derivative_functions.h"

namespace holo {

template <int Variables, class Base = double>
class CompactJet : public StaysItself<CompactJet<Variables, Base>> {
 public:
  using Real = Base;
  using Full = CompactJet;
  static constexpr bool carries_derivatives = true;
  static constexpr int order = 2, variable_count = Variables;
  static constexpr int entry_count = 1 + Variables + Variables * (Variables + 1) / 2;

  constexpr CompactJet() = default;  // zero
  template <class T>
  requires detail::PlainNumber<T, Base>
  constexpr CompactJet(const T& value) {  // NOLINT: a constant has no derivatives
    entries_[0] = value;
  }
  // The variable `index` of `Variables`.
  static constexpr CompactJet variable(int index, const Base& value) {
    CompactJet x(value);
    x.entries_[1 + index] = Base(1.0);
    return x;
  }

  HOLO_INLINE constexpr const Base& value() const { return entries_[0]; }
  HOLO_INLINE constexpr const Base& gradient(int i) const { return entries_[1 + i]; }
  HOLO_INLINE constexpr const Base& hessian(int i, int j) const { return entries_[at(i, j)]; }
  HOLO_INLINE constexpr void set_gradient(int i, const Base& value) { entries_[1 + i] = value; }
  HOLO_INLINE constexpr void set_hessian(int i, int j, const Base& value) { entries_[at(i, j)] = value; }

  // f of this number, from f, f', f'' at its value.
  __attribute__((noinline)) constexpr CompactJet compose(const Base* d) const {
    CompactJet result(d[0]);
    for (int e = 1; e < entry_count; ++e) result.entries_[e] = d[1] * entries_[e];
    for (int i = 0; i < Variables; ++i)
      for (int j = 0; j <= i; ++j)
        result.entries_[at(i, j)] = result.entries_[at(i, j)] + d[2] * (entries_[1 + i] * entries_[1 + j]);
    return result;
  }
  HOLO_INLINE constexpr CompactJet with_value(const Base& value) const {
    CompactJet result = *this;
    result.entries_[0] = value;
    return result;
  }
  template <class F>
  constexpr CompactJet map(F f) const {
    CompactJet result;
    for (int e = 0; e < entry_count; ++e) result.entries_[e] = f(entries_[e]);
    return result;
  }
  template <class F>
  static constexpr CompactJet zip(const CompactJet& a, const CompactJet& b, F f) {
    CompactJet result;
    for (int e = 0; e < entry_count; ++e) result.entries_[e] = f(a.entries_[e], b.entries_[e]);
    return result;
  }

  friend constexpr CompactJet operator+(const CompactJet& a, const CompactJet& b) { return sum(a, b); }
  friend constexpr CompactJet operator-(const CompactJet& a, const CompactJet& b) { return difference(a, b); }
  friend constexpr CompactJet operator*(const CompactJet& a, const CompactJet& b) { return product(a, b); }
  friend constexpr CompactJet operator/(const CompactJet& a, const CompactJet& b) { return quotient(a, b); }

  friend constexpr auto isfinite(const CompactJet& a) {
    auto result = a.entries_[0] - a.entries_[0] == 0.0;
    for (int e = 1; e < entry_count; ++e) result = result & (a.entries_[e] - a.entries_[e] == 0.0);
    return result;
  }
  friend constexpr auto isnan(const CompactJet& a) {
    auto result = a.entries_[0] == a.entries_[0];
    for (int e = 1; e < entry_count; ++e) result = result & (a.entries_[e] == a.entries_[e]);
    return !result;
  }

 private:
  // Value, gradient, then the Hessian's lower half by rows.
  HOLO_INLINE static constexpr int at(int i, int j) {
    return 1 + Variables + (i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i);
  }
  __attribute__((noinline)) static constexpr CompactJet sum(const CompactJet& a, const CompactJet& b) {
    return zip(a, b, [](const Base& x, const Base& y) { return x + y; });
  }
  __attribute__((noinline)) static constexpr CompactJet difference(const CompactJet& a, const CompactJet& b) {
    return zip(a, b, [](const Base& x, const Base& y) { return x - y; });
  }
  __attribute__((noinline)) static constexpr CompactJet product(const CompactJet& a, const CompactJet& b) {
    CompactJet result;
    result.entries_[0] = a.entries_[0] * b.entries_[0];
    for (int e = 1; e < entry_count; ++e) result.entries_[e] = a.entries_[0] * b.entries_[e] + a.entries_[e] * b.entries_[0];
    for (int i = 0; i < Variables; ++i)
      for (int j = 0; j <= i; ++j) result.entries_[at(i, j)] = result.entries_[at(i, j)] + cross(a, b, i, j);
    return result;
  }
  // a = q b solved for the entries of q, order by order.
  __attribute__((noinline)) static constexpr CompactJet quotient(const CompactJet& a, const CompactJet& b) {
    const Base inverse = 1.0 / b.entries_[0];
    CompactJet q(Base(a.entries_[0] / b.entries_[0]));
    for (int e = 1; e <= Variables; ++e) q.entries_[e] = (a.entries_[e] - q.entries_[0] * b.entries_[e]) * inverse;
    for (int i = 0; i < Variables; ++i)
      for (int j = 0; j <= i; ++j)
        q.entries_[at(i, j)] = (a.entries_[at(i, j)] - q.entries_[0] * b.entries_[at(i, j)] - cross(q, b, i, j)) * inverse;
    return q;
  }
  static constexpr Base cross(const CompactJet& a, const CompactJet& b, int i, int j) {
    return a.entries_[1 + i] * b.entries_[1 + j] + a.entries_[1 + j] * b.entries_[1 + i];
  }

  Base entries_[entry_count]{};
};

}  // namespace holo
