// refused: This condition differs from lane to lane: write select(condition, a, b)
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/taylor.h"

template <class S>
S f(const S& x) {
#ifdef HOLO_REFUSED
  return x < 1.0 ? x : S(1.0);
#else
  return min(x, 1.0);
#endif
}
auto derivative(const holo::Taylor<2, holo::LaneBlock>& x) { return f(x); }
