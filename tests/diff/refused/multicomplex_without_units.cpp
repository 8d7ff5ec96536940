// refused: Multicomplex needs at least one unit
#include "holo/diff/scalars/multicomplex.h"

#ifdef HOLO_REFUSED
holo::Multicomplex<0> x;
#else
holo::Multicomplex<1> x;
#endif
