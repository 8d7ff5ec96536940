// refused: the number of lanes is a power of two
#include "holo/diff/lanes/lanes.h"

#ifdef HOLO_REFUSED
holo::Lanes<double, 3> x;
#else
holo::Lanes<double, 4> x;
#endif
