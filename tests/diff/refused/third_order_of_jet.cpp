// refused: Jet has first derivatives (order 1) or first and second ones (order 2)
#include "holo/diff/scalars/jet.h"

#ifdef HOLO_REFUSED
holo::Jet<3, 2> x;
#else
holo::Jet<2, 2> x;
#endif
