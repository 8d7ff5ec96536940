// Psi(F) = lambda (J - 1)^2 + mu (J^(-2/3) tr F^T F - 3),  J = det F > 0   [J/m^3]   [Luo2019] Eq 36
// The paper's constants as they are: at small strains the shear modulus is 2 mu and the bulk modulus 2 lambda, so that
// youngs_modulus and poissons_ratio only name lambda and mu. `neo_hookean` is the calibrated form.
#include <holo/plugin/material.h>

struct PaperNeoHookean : LameMaterial {
  static constexpr auto domain = Domain::positive_determinant;
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& c) {
    return c.lambda * (J - 1) * (J - 1) + c.mu * (pow(J, -2.0 / 3) * I1 - 3);
  }
  template <class S>
  static Matrix3<S> first_piola_stress(const Matrix3<S>& F, const Coefficients<S>& c) {
    const S J = determinant(F), a = pow(J, -2.0 / 3), q = squared_norm(F) / (3 * J);
    return 2 * c.mu * a * F + 2 * (c.lambda * (J - 1) - c.mu * a * q) * cofactor(F);
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
HOLO_MATERIAL(PaperNeoHookean, "neo_hookean_paper", "neo-Hookean solid with the constants of [Luo2019] Eq 36")
