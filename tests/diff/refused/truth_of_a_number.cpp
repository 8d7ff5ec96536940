// refused: A derivative type does not turn into a plain number
#include "holo/diff/scalars/nilpotent.h"

bool f(const holo::Nilpotent<1>& x) {
#ifdef HOLO_REFUSED
  if (x) return true;
  return false;
#else
  return x != 0;
#endif
}
