// refused: Complex<float> cannot hold the step 2^-133: use double
#include "holo/diff/scalars/complex.h"

#ifdef HOLO_REFUSED
holo::Complex<float> x;
#else
holo::Complex<double> x;
#endif
