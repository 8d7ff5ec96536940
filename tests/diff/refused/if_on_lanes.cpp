// refused: This condition differs from lane to lane: write select(condition, a, b)
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/nilpotent.h"

template <class S>
S f(const S& x) {
#ifdef HOLO_REFUSED
  if (x > 0.0) return x;
  return -x;
#else
  return select(x > 0.0, x, -x);
#endif
}
auto derivative(const holo::Nilpotent<1, holo::LaneBlock>& x) { return f(x); }
