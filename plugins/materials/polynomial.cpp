// Psi(F) = sum_ij C_ij (b1 - 3)^i (b2 - 3)^j + kappa/2 (J - 1)^2 + kappa_2 (J - 1)^4   [J/m^3]   [RivlinSaunders1951]
// b1 = J^(-2/3) I1,  b2 = J^(-4/3) I2,  I1 = tr C,  I2 = (I1^2 - tr C^2)/2,  C = F^T F,  J = det F > 0;  2 (C10 + C01) = mu
#include <holo/plugin/material.h>

struct Polynomial {
  static constexpr auto domain = Domain::positive_determinant;
  static constexpr bool is_calibrated = true;
  static constexpr const char* coefficient_names[] = {"C10", "C01", "C20", "C11", "C02", "kappa", "kappa_2"};
  template <class S>
  struct Coefficients {
    S C10, C01, C20, C11, C02, kappa, kappa_2;  // Pa
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    const P mu = moduli.mu, kappa = moduli.bulk_modulus();
    const P c01 = p.in_range("c01", "1", 0, 0.5, {.default_value = 0.2, .documentation = "C01 / mu; C10 = mu/2 - C01"});
    const P c20 = p.non_negative("c20", "1", {.default_value = 0.1, .documentation = "C20 / mu"});
    const P c11 = p.non_negative("c11", "1", {.default_value = 0.05, .documentation = "C11 / mu"});
    const P c02 = p.non_negative("c02", "1", {.default_value = 0.05, .documentation = "C02 / mu"});
    const P k2 = p.non_negative("kappa_2", "1", {.default_value = 0.25, .documentation = "kappa_2 / kappa"});
    return {(0.5 - c01) * mu, c01 * mu, c20 * mu, c11 * mu, c02 * mu, kappa, k2 * kappa};
  }
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S& I2, const S& J, const Coefficients<S>& c) {
    const S a = pow(J, -2.0 / 3), p = a * I1 - 3, q = a * a * I2 - 3, e = (J - 1) * (J - 1);
    return (c.C10 + c.C20 * p + c.C11 * q) * p + (c.C01 + c.C02 * q) * q + (c.kappa / 2 + c.kappa_2 * e) * e;
  }
};
HOLO_MATERIAL(Polynomial, "polynomial", "rubber, a quadratic polynomial of both invariants of shape")
