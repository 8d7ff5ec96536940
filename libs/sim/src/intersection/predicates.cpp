#include "intersection/predicates.h"

#include <cmath>
#include <initializer_list>

#include "intersection/exact_sum.h"

namespace holo::intersections {
namespace {

// The sign of a rounded value is proven if the value exceeds its error bound. `magnitude` is the sum of the terms' absolute
// values. Underflow adds no error: all exact products are multiples of 2^-1056, the cube of the last bit of the least
// coordinate, and doubles below 2^-1022 are the multiples of 2^-1074.
bool is_proven(double value, double magnitude, double roundings) { return std::abs(value) > roundings * 0x1p-53 * magnitude; }
int sign_of(double value) { return value > 0 ? 1 : -1; }

// Differences a - b, exactly value + error.
struct ExactVector {
  Exact entries[3];
  ExactVector(const double* a, const double* b) {
    for (int i = 0; i < 3; ++i) entries[i] = exact_sum(a[i], -b[i]);
  }
};

// Adds sign u v w to the sum.
template <int capacity>
void add_triple(ExactSum<capacity>& sum, double sign, const Exact& u, const Exact& v, const Exact& w) {
  for (const double a : {u.error, u.value})
    for (const double b : {v.error, v.value})
      for (const double c : {w.error, w.value})
        if (c != 0) sum.add_product(sign * a, b, c);
}

// Six products of three differences, each of eight products of three doubles, each of up to four doubles.
[[gnu::cold]] int exact_orientation_3d(const double* a, const double* b, const double* c, const double* d) {
  const ExactVector u(a, d), v(b, d), w(c, d);
  ExactSum<192> sum;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    add_triple(sum, 1, u.entries[i], v.entries[j], w.entries[k]);
    add_triple(sum, -1, u.entries[i], v.entries[k], w.entries[j]);
  }
  return sum.sign();
}

[[gnu::cold]] int exact_orientation_2d(int i, int j, const double* a, const double* b, const double* c) {
  const ExactVector u(a, c), v(b, c);
  ExactSum<16> sum;
  for (const double x : {u.entries[i].error, u.entries[i].value})
    for (const double y : {v.entries[j].error, v.entries[j].value}) sum.add_product(x, y);
  for (const double x : {u.entries[j].error, u.entries[j].value})
    for (const double y : {v.entries[i].error, v.entries[i].value}) sum.add_product(-x, y);
  return sum.sign();
}

}  // namespace

// A term is rounded by its three differences, the difference of products or the product itself (2), the product with u and two
// sums: 8 times, its absolute value as often, so that 10 unit roundoffs of their sum bound the error.
int orientation_3d(const double* a, const double* b, const double* c, const double* d) {
  double u[3], v[3], w[3], value = 0, magnitude = 0;
  for (int i = 0; i < 3; ++i) u[i] = a[i] - d[i], v[i] = b[i] - d[i], w[i] = c[i] - d[i];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double first = v[j] * w[k], second = v[k] * w[j];
    value += u[i] * (first - second);
    magnitude += std::abs(u[i]) * (std::abs(first) + std::abs(second));
  }
  return is_proven(value, magnitude, 10) ? sign_of(value) : exact_orientation_3d(a, b, c, d);
}

// Two differences, a product and a sum: 4 roundings.
int orientation_2d(int axis, const double* a, const double* b, const double* c) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const double first = (a[i] - c[i]) * (b[j] - c[j]), second = (a[j] - c[j]) * (b[i] - c[i]), value = first - second;
  return is_proven(value, std::abs(first) + std::abs(second), 6) ? sign_of(value) : exact_orientation_2d(i, j, a, b, c);
}

// A product and three sums: 4 roundings.
int side_of_plane(const double* normal, double offset, const double* x) {
  double value = -offset, magnitude = std::abs(offset);
  for (int i = 0; i < 3; ++i) {
    value += normal[i] * x[i];
    magnitude += std::abs(normal[i] * x[i]);
  }
  if (is_proven(value, magnitude, 6)) return sign_of(value);
  ExactSum<7> sum;
  sum.add(-offset);
  for (int i = 0; i < 3; ++i) sum.add_product(normal[i], x[i]);
  return sum.sign();
}

}  // namespace holo::intersections
