// refused: the mask names a unit that this number does not have
#include "holo/diff/scalars/nilpotent.h"

double f(const holo::Nilpotent<2>& x) {
#ifdef HOLO_REFUSED
  return x.coefficient<0b111>();
#else
  return x.coefficient<0b11>();
#endif
}
