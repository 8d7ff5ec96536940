// refused: A derivative type does not turn into a plain number
#include "holo/diff/scalars/taylor.h"

double f(const holo::Taylor<2>& x) {
#ifdef HOLO_REFUSED
  return x * 2;
#else
  return (x * 2).value();
#endif
}
