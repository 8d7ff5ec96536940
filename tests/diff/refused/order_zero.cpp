// refused: Nilpotent needs at least one unit
#include "holo/diff/scalars/nilpotent.h"

#ifdef HOLO_REFUSED
holo::Nilpotent<0> x;
#else
holo::Nilpotent<1> x;
#endif
