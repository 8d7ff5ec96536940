#pragma once
// W numbers side by side in one vector register, on the compilers' vector extensions. A function template of the scalar runs on
// W elements at once; a choice between two values is written select(condition, a, b), as a comparison answers for each lane.
// Elementary functions come from the C library's vector math where it has them (within 4 units in the last place, special
// values as in the scalar functions), else from a loop over the scalar functions.

#include <cstring>

#include "holo/core/abi.h"
#include "holo/diff/lanes/cube_root.h"
#include "holo/diff/lanes/vector_math.h"
#include "holo/diff/scalars/elementary.h"

namespace holo {

template <class T, int W>
struct Lanes;

// One truth value for each lane.
template <class T, int W>
struct LaneMask {
  using Values = typename Lanes<T, W>::Values;
  using Bits = decltype(Values{} < Values{});  // all ones or all zeros

  Bits bits;

  HOLO_INLINE bool operator[](int lane) const { return bits[lane] != 0; }

  template <class Bool>
  requires std::same_as<Bool, bool>
  constexpr explicit operator Bool() const {
    static_assert(!std::same_as<Bool, bool>,
                  "This condition differs from lane to lane: write select(condition, a, b) instead of if, while or ?:.");
    return false;
  }

  friend HOLO_INLINE LaneMask operator&(LaneMask a, LaneMask b) { return {a.bits & b.bits}; }
  friend HOLO_INLINE LaneMask operator|(LaneMask a, LaneMask b) { return {a.bits | b.bits}; }
  // Both sides are evaluated.
  friend HOLO_INLINE LaneMask operator&&(LaneMask a, LaneMask b) { return a & b; }
  friend HOLO_INLINE LaneMask operator||(LaneMask a, LaneMask b) { return a | b; }
  friend HOLO_INLINE LaneMask operator!(LaneMask a) { return {~a.bits}; }
  friend HOLO_INLINE bool any(LaneMask a) {
    bool result = false;
    for (int i = 0; i < W; ++i) result |= a[i];
    return result;
  }
  friend HOLO_INLINE bool all(LaneMask a) { return !any(!a); }
  friend HOLO_INLINE Lanes<T, W> select(LaneMask condition, Lanes<T, W> a, Lanes<T, W> b) {
    return Lanes<T, W>::of(condition.bits ? a.values : b.values);
  }
};

template <class T, int W>
struct Lanes {
  static_assert(W >= 2 && (W & (W - 1)) == 0, "the number of lanes is a power of two");
  using Scalar = T;
  typedef T Values __attribute__((vector_size(W * sizeof(T))));
  using Mask = LaneMask<T, W>;
  static constexpr int width = W;

  Values values;

  Lanes() = default;
  HOLO_INLINE Lanes(T value) : values(value - Values{}) {}  // NOLINT: a constant is the same in all lanes

  static HOLO_INLINE Lanes of(Values values) {
    Lanes result;
    result.values = values;
    return result;
  }

  HOLO_INLINE T operator[](int lane) const { return values[lane]; }
  HOLO_INLINE void set(int lane, T value) { values[lane] = value; }

  // `from` and `to` are aligned to the size of the register.
  static HOLO_INLINE Lanes load(const T* from) {
    Lanes result;
    std::memcpy(&result.values, __builtin_assume_aligned(from, sizeof(Values)), sizeof(Values));
    return result;
  }
  HOLO_INLINE void store(T* to) const { std::memcpy(__builtin_assume_aligned(to, sizeof(Values)), &values, sizeof(Values)); }

  friend HOLO_INLINE Lanes operator+(Lanes a) { return a; }
  friend HOLO_INLINE Lanes operator-(Lanes a) { return of(-a.values); }
  friend HOLO_INLINE Lanes operator+(Lanes a, Lanes b) { return of(a.values + b.values); }
  friend HOLO_INLINE Lanes operator-(Lanes a, Lanes b) { return of(a.values - b.values); }
  friend HOLO_INLINE Lanes operator*(Lanes a, Lanes b) { return of(a.values * b.values); }
  friend HOLO_INLINE Lanes operator/(Lanes a, Lanes b) { return of(a.values / b.values); }
  HOLO_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  HOLO_INLINE Lanes& operator-=(Lanes b) { return *this = *this - b; }
  HOLO_INLINE Lanes& operator*=(Lanes b) { return *this = *this * b; }
  HOLO_INLINE Lanes& operator/=(Lanes b) { return *this = *this / b; }

  friend HOLO_INLINE Mask operator<(Lanes a, Lanes b) { return {a.values < b.values}; }
  friend HOLO_INLINE Mask operator<=(Lanes a, Lanes b) { return {a.values <= b.values}; }
  friend HOLO_INLINE Mask operator>(Lanes a, Lanes b) { return {a.values > b.values}; }
  friend HOLO_INLINE Mask operator>=(Lanes a, Lanes b) { return {a.values >= b.values}; }
  friend HOLO_INLINE Mask operator==(Lanes a, Lanes b) { return {a.values == b.values}; }
  friend HOLO_INLINE Mask operator!=(Lanes a, Lanes b) { return {a.values != b.values}; }

  // A tie takes the first argument; a NaN is kept, whichever argument it is.
  friend HOLO_INLINE Lanes min(Lanes a, Lanes b) {
    return of(((b.values < a.values) | (b.values != b.values)) ? b.values : a.values);
  }
  friend HOLO_INLINE Lanes max(Lanes a, Lanes b) {
    return of(((a.values < b.values) | (b.values != b.values)) ? b.values : a.values);
  }
  // -a for a < 0, so that abs(-0.0) is -0.0: the sign of a zero carries no weight here.
  friend HOLO_INLINE Lanes abs(Lanes a) { return of(a.values < Values{} ? -a.values : a.values); }
  friend HOLO_INLINE Mask isfinite(Lanes a) { return {(a.values - a.values) == Values{}}; }
  friend HOLO_INLINE Mask isnan(Lanes a) { return {a.values != a.values}; }
  friend HOLO_INLINE T sum(Lanes a) {
    T result = a[0];
    for (int i = 1; i < W; ++i) result += a[i];
    return result;
  }

  friend HOLO_INLINE Lanes sqrt(Lanes x) { return of(vector_math::sqrt(x.values)); }
  friend HOLO_INLINE Lanes exp(Lanes x) { return of(vector_math::exp(x.values)); }
  friend HOLO_INLINE Lanes expm1(Lanes x) { return of(vector_math::expm1(x.values)); }
  friend HOLO_INLINE Lanes log(Lanes x) { return of(vector_math::log(x.values)); }
  friend HOLO_INLINE Lanes log1p(Lanes x) { return of(vector_math::log1p(x.values)); }
  friend HOLO_INLINE Lanes sin(Lanes x) { return of(vector_math::sin(x.values)); }
  friend HOLO_INLINE Lanes cos(Lanes x) { return of(vector_math::cos(x.values)); }
  friend HOLO_INLINE Lanes tan(Lanes x) { return of(vector_math::tan(x.values)); }
  friend HOLO_INLINE Lanes asin(Lanes x) { return of(vector_math::asin(x.values)); }
  friend HOLO_INLINE Lanes acos(Lanes x) { return of(vector_math::acos(x.values)); }
  friend HOLO_INLINE Lanes atan(Lanes x) { return of(vector_math::atan(x.values)); }
  friend HOLO_INLINE Lanes sinh(Lanes x) { return of(vector_math::sinh(x.values)); }
  friend HOLO_INLINE Lanes cosh(Lanes x) { return of(vector_math::cosh(x.values)); }
  friend HOLO_INLINE Lanes tanh(Lanes x) { return of(vector_math::tanh(x.values)); }
  friend HOLO_INLINE Lanes cbrt(Lanes x) {
    if constexpr (std::same_as<T, double>)
      return of(vector_math::cube_root(x.values));
    else
      return of(vector_math::cbrt(x.values));
  }
  friend HOLO_INLINE Lanes pow(Lanes x, Lanes y) { return of(vector_math::pow(x.values, y.values)); }
  friend HOLO_INLINE Lanes atan2(Lanes y, Lanes x) { return of(vector_math::atan2(y.values, x.values)); }
  friend HOLO_INLINE Lanes hypot(Lanes x, Lanes y) { return of(vector_math::hypot(x.values, y.values)); }
  // Powers of thirds, the commonest of solids, by their cube root.
  friend HOLO_INLINE Lanes pow(Lanes x, double exponent) {
    if constexpr (std::same_as<T, double>)
      if (const int thirds = vector_math::thirds_of(exponent)) return of(vector_math::power_of_thirds(x.values, thirds));
    return pow(x, Lanes(T(exponent)));
  }
  // By multiplication: exact at 0, and right for negative bases.
  friend HOLO_INLINE Lanes pow(Lanes x, int exponent) {
    Lanes result(T(1)), power = x;
    for (unsigned left = exponent < 0 ? 0u - unsigned(exponent) : unsigned(exponent); left != 0; left >>= 1) {
      if (left & 1u) result = result * power;
      power = power * power;
    }
    return exponent < 0 ? Lanes(T(1)) / result : result;
  }
};

// The block of elements that crosses the plugin ABI (holo/core/abi.h).
using LaneBlock = Lanes<double, HOLO_LANE_WIDTH>;

// `value` in one lane, 0 in the others, without a store of one lane that a load of all would wait for.
HOLO_INLINE LaneBlock unit_lane(int lane, double value) {
  LaneBlock numbers;
  for (int i = 0; i < LaneBlock::width; ++i) numbers.set(i, i);
  return select(numbers == LaneBlock(double(lane)), LaneBlock(value), LaneBlock(0.0));
}

}  // namespace holo
