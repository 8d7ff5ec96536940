// Psi(F) = kappa/2 (J - 1)^2 + mu/2 (J^(-2/3) tr F^T F - 3),  J = det F > 0   [J/m^3]
// Neo-Hookean with volume and shape apart; mu and kappa are the shear and bulk modulus of small strains.
#include <holo/plugin/material.h>

struct NeoHookean {
  static constexpr auto domain = Domain::positive_determinant;
  static constexpr bool is_calibrated = true;
  static constexpr const char* coefficient_names[] = {"kappa", "mu"};
  template <class S>
  struct Coefficients {
    S kappa, mu;  // Pa
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    return {moduli.bulk_modulus(), moduli.mu};
  }
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& c) {
    return c.kappa / 2 * (J - 1) * (J - 1) + c.mu / 2 * (pow(J, -2.0 / 3) * I1 - 3);
  }
  template <class S>
  static Matrix3<S> first_piola_stress(const Matrix3<S>& F, const Coefficients<S>& c) {
    const S J = determinant(F), a = pow(J, -2.0 / 3), q = squared_norm(F) / (3 * J);
    return c.mu * a * F + (c.kappa * (J - 1) - c.mu * a * q) * cofactor(F);
  }
  template <class S>
  static Matrix3<S> first_piola_stress_differential(const Matrix3<S>& F, const Matrix3<S>& dF, const Coefficients<S>& c) {
    const Matrix3<S> C = cofactor(F), dC = cofactor_differential(F, dF);
    const S J = determinant(F), dJ = dot(C, dF), a = pow(J, -2.0 / 3), da = -2.0 / 3 * a * dJ / J;
    const S q = squared_norm(F) / (3 * J), dq = (2.0 / 3 * dot(F, dF) - q * dJ) / J;
    return c.mu * (da * F + a * dF) + (c.kappa * dJ - c.mu * (da * q + a * dq)) * C + (c.kappa * (J - 1) - c.mu * a * q) * dC;
  }
};
HOLO_MATERIAL(NeoHookean, "neo_hookean", "compressible neo-Hookean solid, volume and shape apart")
