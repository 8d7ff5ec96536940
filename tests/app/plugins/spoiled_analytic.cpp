// neo_hookean_paper with a hand-written stress that is wrong by one part in a million.
#include <holo/plugin/material.h>

struct SpoiledAnalytic : LameMaterial {
  static constexpr auto domain = Domain::positive_determinant;
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    const S J = determinant(F);
    return c.lambda * (J - 1) * (J - 1) + c.mu * (pow(J, -2.0 / 3) * squared_norm(F) - 3);
  }
  template <class S>
  static Matrix3<S> first_piola_stress(const Matrix3<S>& F, const Coefficients<S>& c) {
    const S J = determinant(F), a = pow(J, -2.0 / 3), q = squared_norm(F) / (3 * J);
    return (1 + 1e-6) * (2 * c.mu * a * F + 2 * (c.lambda * (J - 1) - c.mu * a * q) * cofactor(F));
  }
  template <class S>
  static Matrix3<S> first_piola_stress_differential(const Matrix3<S>& F, const Matrix3<S>& dF, const Coefficients<S>& c) {
    const Matrix3<S> C = cofactor(F), dC = cofactor_differential(F, dF);
    const S J = determinant(F), dJ = dot(C, dF), a = pow(J, -2.0 / 3), da = -2.0 / 3 * a * dJ / J;
    const S q = squared_norm(F) / (3 * J), dq = (2.0 / 3 * dot(F, dF) - q * dJ) / J;
    return 2 * (c.mu * (da * F + a * dF) + (c.lambda * dJ - c.mu * (da * q + a * dq)) * C +
                (c.lambda * (J - 1) - c.mu * a * q) * dC);
  }
};
HOLO_MATERIAL(SpoiledAnalytic, "spoiled_analytic", "for a test")
