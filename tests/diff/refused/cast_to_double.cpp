// refused: A derivative type does not turn into a plain number
#include "holo/diff/scalars/nilpotent.h"

double f(const holo::Nilpotent<2>& x) {
#ifdef HOLO_REFUSED
  return static_cast<double>(x);
#else
  return x.value();
#endif
}
