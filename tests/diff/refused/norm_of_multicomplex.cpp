// refused: norm is not analytic and would destroy the derivatives
#include "holo/diff/scalars/multicomplex.h"

template <class S>
S f(const S& x) {
#ifdef HOLO_REFUSED
  return norm(x);
#else
  return x * x;
#endif
}
auto derivative(const holo::Multicomplex<2>& x) { return f(x); }
