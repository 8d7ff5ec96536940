// Psi(F) = sum_i C_i (b1 - 3)^i + kappa/2 (J - 1)^2 + kappa_2 (J - 1)^4   [J/m^3]   [Yeoh1993]
// b1 = J^(-2/3) tr F^T F,  J = det F > 0;  2 C1 = mu. C2 < 0 softens before C3 stiffens.
#include <holo/plugin/material.h>

struct Yeoh {
  static constexpr auto domain = Domain::positive_determinant;
  static constexpr bool is_calibrated = true;
  static constexpr const char* coefficient_names[] = {"C1", "C2", "C3", "kappa", "kappa_2"};
  template <class S>
  struct Coefficients {
    S C1, C2, C3, kappa, kappa_2;  // Pa
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    const P mu = moduli.mu, kappa = moduli.bulk_modulus();
    const P c2 = p.number("c2", "1", {.default_value = -0.05, .documentation = "C2 / mu, may be negative"});
    const P c3 = p.non_negative("c3", "1", {.default_value = 0.01, .documentation = "C3 / mu"});
    const P k2 = p.non_negative("kappa_2", "1", {.default_value = 0.1, .documentation = "kappa_2 / kappa"});
    return {mu / 2, c2 * mu, c3 * mu, kappa, k2 * kappa};
  }
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& c) {
    const S p = pow(J, -2.0 / 3) * I1 - 3, e = (J - 1) * (J - 1);
    return (c.C1 + (c.C2 + c.C3 * p) * p) * p + (c.kappa / 2 + c.kappa_2 * e) * e;
  }
};
HOLO_MATERIAL(Yeoh, "yeoh", "filled rubber, a cubic polynomial of the first invariant of shape")
