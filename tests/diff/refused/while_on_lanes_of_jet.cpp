// refused: This condition differs from lane to lane: write select(condition, a, b)
#include "holo/diff/lanes/lanes.h"
#include "holo/diff/scalars/jet.h"

template <class S>
S f(const S& x) {
#ifdef HOLO_REFUSED
  S y = x;
  while (y > 1.0) y = 0.5 * y;
  return y;
#else
  return select(x > 1.0, 0.5 * x, x);
#endif
}
auto derivative(const holo::Jet<2, 2, holo::LaneBlock>& x) { return f(x); }
