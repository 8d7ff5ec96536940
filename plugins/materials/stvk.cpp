// Psi(F) = mu E:E + lambda/2 (tr E)^2,  E = (F^T F - I) / 2   [J/m^3]
// Saint Venant-Kirchhoff: linear in the Green strain. Softens under strong compression (stress extremum at stretch 1/sqrt 3).
#include <holo/plugin/material.h>

struct SaintVenantKirchhoff : LameMaterial {
  static constexpr bool is_calibrated = true;
  // tr E = (I1 - 3)/2;  4 E:E = tr C^2 - 2 I1 + 3 with tr C^2 = I1^2 - 2 I2
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S& I2, const S&, const Coefficients<S>& c) {
    return c.mu / 4 * ((I1 - 1) * (I1 - 1) - 2 * (I2 - 1)) + c.lambda / 8 * (I1 - 3) * (I1 - 3);
  }
  template <class S>
  static Matrix3<S> first_piola_stress(const Matrix3<S>& F, const Coefficients<S>& c) {
    const Matrix3<S> E = 0.5 * (transpose(F) * F - identity3<S>());
    return F * (2 * c.mu * E + c.lambda * trace(E) * identity3<S>());
  }
  template <class S>
  static Matrix3<S> first_piola_stress_differential(const Matrix3<S>& F, const Matrix3<S>& dF, const Coefficients<S>& c) {
    const Matrix3<S> E = 0.5 * (transpose(F) * F - identity3<S>()), dE = symmetric_part(transpose(F) * dF);
    return dF * (2 * c.mu * E + c.lambda * trace(E) * identity3<S>()) +
           F * (2 * c.mu * dE + c.lambda * trace(dE) * identity3<S>());
  }
};
HOLO_MATERIAL(SaintVenantKirchhoff, "stvk", "Saint Venant-Kirchhoff solid, linear in the Green strain")
