// refused: Taylor needs 1 <= Degree <= Order
#include "holo/diff/scalars/taylor.h"

#ifdef HOLO_REFUSED
holo::Taylor<2, double, 3> x;
#else
holo::Taylor<2, double, 2> x;
#endif
