// refused: arg is not analytic and would destroy the derivatives
#include "holo/diff/scalars/taylor.h"

template <class S>
S f(const S& x) {
#ifdef HOLO_REFUSED
  return arg(x);
#else
  return atan2(x, 1.0);
#endif
}
auto derivative(const holo::Taylor<3>& x) { return f(x); }
