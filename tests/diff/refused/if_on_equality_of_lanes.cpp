// refused: This condition differs from lane to lane: write select(condition, a, b)
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/nilpotent.h"

using L = holo::Nilpotent<2, holo::LaneBlock>;
L f(const L& x, const L& y) {
#ifdef HOLO_REFUSED
  return x == y ? x : y;
#else
  return select(x == y, x, y);
#endif
}
