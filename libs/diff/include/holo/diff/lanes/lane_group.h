#pragma once
// Several registers of lanes as one coefficient of a number: more directions in one evaluation of a function than a register
// has lanes. A vector type of that size would be split by the compiler, through memory; here each register is one variable.

#include "holo/diff/lanes/lanes.h"
#include "holo/diff/unroll.h"

namespace holo {

template <int count>
class LaneGroup {
 public:
  static constexpr int width = count * LaneBlock::width;

  struct Mask {
    LaneBlock::Mask blocks[count];
    friend HOLO_INLINE bool all(const Mask& mask) {
      bool result = true;
      for (int b = 0; b < count; ++b) result = result && all(mask.blocks[b]);
      return result;
    }
  };

  LaneGroup() = default;
  HOLO_INLINE LaneGroup(double value) {  // NOLINT: a constant is the same in all lanes
    detail::unroll<0, count>([&](int b) HOLO_INLINE_LAMBDA { blocks_[b] = LaneBlock(value); });
  }
  // `value` in one lane, 0 in the others.
  static HOLO_INLINE LaneGroup unit(int lane, double value) {
    return make([&](int b) HOLO_INLINE_LAMBDA { return unit_lane(lane - b * LaneBlock::width, value); });
  }

  HOLO_INLINE double operator[](int lane) const { return blocks_[lane / LaneBlock::width][lane % LaneBlock::width]; }
  HOLO_INLINE void set(int lane, double value) { blocks_[lane / LaneBlock::width].set(lane % LaneBlock::width, value); }

  // `to` has room for all lanes and is aligned to a register.
  HOLO_INLINE void store(double* to) const {
    detail::unroll<0, count>([&](int b) HOLO_INLINE_LAMBDA { blocks_[b].store(to + b * LaneBlock::width); });
  }

  friend HOLO_INLINE LaneGroup operator-(const LaneGroup& a) {
    return make([&](int b) HOLO_INLINE_LAMBDA { return -a.blocks_[b]; });
  }
  friend HOLO_INLINE LaneGroup operator+(const LaneGroup& x, const LaneGroup& y) {
    return make([&](int b) HOLO_INLINE_LAMBDA { return x.blocks_[b] + y.blocks_[b]; });
  }
  friend HOLO_INLINE LaneGroup operator-(const LaneGroup& x, const LaneGroup& y) {
    return make([&](int b) HOLO_INLINE_LAMBDA { return x.blocks_[b] - y.blocks_[b]; });
  }
  friend HOLO_INLINE LaneGroup operator*(const LaneGroup& x, const LaneGroup& y) {
    return make([&](int b) HOLO_INLINE_LAMBDA { return x.blocks_[b] * y.blocks_[b]; });
  }
  friend HOLO_INLINE LaneGroup operator/(const LaneGroup& x, const LaneGroup& y) {
    return make([&](int b) HOLO_INLINE_LAMBDA { return x.blocks_[b] / y.blocks_[b]; });
  }
  friend HOLO_INLINE Mask operator==(const LaneGroup& x, const LaneGroup& y) {
    Mask mask;
    detail::unroll<0, count>([&](int b) HOLO_INLINE_LAMBDA { mask.blocks[b] = x.blocks_[b] == y.blocks_[b]; });
    return mask;
  }

 private:
  template <class F>
  static HOLO_INLINE LaneGroup make(F f) {
    LaneGroup result;
    detail::unroll<0, count>([&](int b) HOLO_INLINE_LAMBDA { result.blocks_[b] = f(b); });
    return result;
  }

  LaneBlock blocks_[count];
};

}  // namespace holo
