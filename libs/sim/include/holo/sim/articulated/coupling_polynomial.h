#pragma once
// The polynomial q = c0 + c1 l + c2 l^2 + c3 l^3 + c4 l^4 by which a coupled coordinate q follows another one l; both in SI
// units [m or rad].

#include <array>

namespace holo {

using CouplingPolynomial = std::array<double, 5>;  // c0, ..., c4

inline double polynomial_value(const CouplingPolynomial& c, double l) {
  return c[0] + l * (c[1] + l * (c[2] + l * (c[3] + l * c[4])));
}
inline double polynomial_slope(const CouplingPolynomial& c, double l) {
  return c[1] + l * (2 * c[2] + l * (3 * c[3] + l * 4 * c[4]));
}
inline double polynomial_curvature(const CouplingPolynomial& c, double l) { return 2 * c[2] + l * (6 * c[3] + l * 12 * c[4]); }

// The relation with l counted from `origin` and q from its value there, so that c0 is 0.
inline CouplingPolynomial polynomial_from(const CouplingPolynomial& c, double origin) {
  const double third_derivative = 6 * c[3] + 24 * c[4] * origin;
  return {0, polynomial_slope(c, origin), polynomial_curvature(c, origin) / 2, third_derivative / 6, c[4]};
}

}  // namespace holo
