#pragma once
// Several registers of lanes as one number: the directions of one sweep over a tape. With more directions than a register has
// lanes, the cost of the tape and of all operations that depend on the point alone is shared by more of them.
//
//   using S = Nilpotent<1, double, Directions<32>>;   // one point, 32 directions

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/unroll.h"

namespace holo {

template <int W>
struct Directions {
  static_assert(W % LaneBlock::width == 0, "the number of directions is a multiple of the lanes of a register");
  static constexpr int width = W;
  static constexpr int count = W / LaneBlock::width;

  LaneBlock blocks[count];

  Directions() = default;
  HOLO_INLINE Directions(double value) {  // NOLINT: the same in all directions
    for (LaneBlock& block : blocks) block = LaneBlock(value);
  }

  HOLO_INLINE double operator[](int k) const { return blocks[k / LaneBlock::width][k % LaneBlock::width]; }
  HOLO_INLINE void set(int k, double value) { blocks[k / LaneBlock::width].set(k % LaneBlock::width, value); }

  template <class F>
  HOLO_INLINE static Directions each(F f) {
    Directions result;
    detail::unroll<0, count>([&](int k) HOLO_INLINE_LAMBDA { result.blocks[k] = f(k); });
    return result;
  }
  friend HOLO_INLINE Directions operator-(const Directions& a) {
    return each([&](int k) HOLO_INLINE_LAMBDA { return -a.blocks[k]; });
  }
  friend HOLO_INLINE Directions operator+(const Directions& a, const Directions& b) {
    return each([&](int k) HOLO_INLINE_LAMBDA { return a.blocks[k] + b.blocks[k]; });
  }
  friend HOLO_INLINE Directions operator-(const Directions& a, const Directions& b) {
    return each([&](int k) HOLO_INLINE_LAMBDA { return a.blocks[k] - b.blocks[k]; });
  }
  friend HOLO_INLINE Directions operator*(double a, const Directions& b) {
    const LaneBlock factor(a);
    return each([&](int k) HOLO_INLINE_LAMBDA { return factor * b.blocks[k]; });
  }
  friend HOLO_INLINE Directions operator*(const Directions& a, double b) { return b * a; }
  friend HOLO_INLINE Directions operator/(const Directions& a, double b) {
    const LaneBlock divisor(b);
    return each([&](int k) HOLO_INLINE_LAMBDA { return a.blocks[k] / divisor; });
  }
  // Whether all directions are equal.
  friend HOLO_INLINE bool operator==(const Directions& a, const Directions& b) {
    bool equal = true;
    for (int k = 0; k < count; ++k) equal = equal && all(a.blocks[k] == b.blocks[k]);
    return equal;
  }
};

}  // namespace holo
