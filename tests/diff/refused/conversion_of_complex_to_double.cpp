// refused: A derivative type does not turn into a plain number
#include "holo/diff/scalars/complex.h"

double f(const holo::Complex<double>& x) {
#ifdef HOLO_REFUSED
  return x * 2;
#else
  return (x * 2).value();
#endif
}
