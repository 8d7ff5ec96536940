// A mistake that authors make: -2 / 3 is 0, an integer. The energy then has a slope at rest.
#include <holo/plugin/material.h>

struct IntegerExponent : LameMaterial {
  static constexpr auto domain = Domain::positive_determinant;
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    const S J = determinant(F);
    return c.lambda / 2 * (J - 1) * (J - 1) + c.mu / 2 * (pow(J, -2 / 3) * squared_norm(F) - 3);
  }
};
HOLO_MATERIAL(IntegerExponent, "integer_exponent", "for a test")
