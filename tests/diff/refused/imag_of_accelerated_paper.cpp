// refused: imag is not analytic and would destroy the derivatives
#include "holo/diff/scalars/accelerated_paper.h"

template <class S>
S f(const S& x) {
#ifdef HOLO_REFUSED
  return imag(x);
#else
  return x * x;
#endif
}
auto derivative(const holo::AcceleratedPaper<double>& x) { return f(x); }
