// Psi(F) = mu/2 (tr F^T F - 3) - mu (J - 1) + lambda_s/2 (J - 1)^2,  lambda_s = lambda + mu   [J/m^3]   [Shen2024] Eq 2
// Defined for every F, inverted ones too, and stable at rest. lambda_s makes lambda and mu those of small strains.
#include <holo/plugin/material.h>

struct StableNeoHookean {
  static constexpr bool is_calibrated = true;
  static constexpr const char* coefficient_names[] = {"lambda_s", "mu"};
  template <class S>
  struct Coefficients {
    S lambda_s, mu;  // Pa
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    return {moduli.lambda + moduli.mu, moduli.mu};
  }
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& c) {
    return c.mu / 2 * (I1 - 3) - c.mu * (J - 1) + c.lambda_s / 2 * (J - 1) * (J - 1);
  }
  template <class S>
  static Matrix3<S> first_piola_stress(const Matrix3<S>& F, const Coefficients<S>& c) {
    return c.mu * F + (c.lambda_s * (determinant(F) - 1) - c.mu) * cofactor(F);
  }
  template <class S>
  static Matrix3<S> first_piola_stress_differential(const Matrix3<S>& F, const Matrix3<S>& dF, const Coefficients<S>& c) {
    const Matrix3<S> C = cofactor(F);
    return c.mu * dF + c.lambda_s * dot(C, dF) * C + (c.lambda_s * (determinant(F) - 1) - c.mu) * cofactor_differential(F, dF);
  }
};
HOLO_MATERIAL(StableNeoHookean, "stable_neo_hookean", "neo-Hookean solid that survives inversion")
