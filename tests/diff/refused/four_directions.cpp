// refused: directional() takes one, two or three directions
#include "holo/diff/drivers.h"

double f(const std::vector<double>& x) {
  auto g = [](const auto& y) { return y[0]; };
#ifdef HOLO_REFUSED
  return holo::directional(g, x, x, x, x, x).value;
#else
  return holo::directional(g, x, x, x, x).value;
#endif
}
