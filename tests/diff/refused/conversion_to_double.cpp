// refused: A derivative type does not turn into a plain number
#include "holo/diff/scalars/nilpotent.h"

double f(const holo::Nilpotent<1>& x) {
#ifdef HOLO_REFUSED
  double y = x * 2;
  return y;
#else
  return (x * 2).value();
#endif
}
