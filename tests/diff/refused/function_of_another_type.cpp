// refused: The function must return the scalar type of its arguments
#include "holo/diff/drivers.h"

struct Matrix {
  int entries[4];
};
double f(const std::vector<double>& x) {
#ifdef HOLO_REFUSED
  auto g = [](const auto&) { return Matrix{}; };
#else
  auto g = [](const auto& y) { return y[0]; };
#endif
  return holo::gradient(g, x).value;
}
