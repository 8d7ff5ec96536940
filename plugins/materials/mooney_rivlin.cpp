// Psi(F) = C10 (b1 - 3) + C01 (b2 - 3) + kappa/2 (J - 1)^2   [J/m^3]   [Mooney1940]
// b1 = J^(-2/3) I1,  b2 = J^(-4/3) I2,  I1 = tr C,  I2 = (I1^2 - tr C^2)/2,  C = F^T F,  J = det F > 0;  2 (C10 + C01) = mu
#include <holo/plugin/material.h>

struct MooneyRivlin {
  static constexpr auto domain = Domain::positive_determinant;
  static constexpr bool is_calibrated = true;
  static constexpr const char* coefficient_names[] = {"kappa", "C10", "C01"};
  template <class S>
  struct Coefficients {
    S kappa, C10, C01;  // Pa
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    const P share = p.in_range("second_invariant_share", "1", 0, 1,
                               {.default_value = 0.3,
                                .documentation = "Part of the shear modulus that C01 bears",
                                .include_minimum = true,
                                .include_maximum = true});
    return {moduli.bulk_modulus(), (1 - share) * moduli.mu / 2, share * moduli.mu / 2};
  }
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S& I2, const S& J, const Coefficients<S>& c) {
    const S a = pow(J, -2.0 / 3);
    return c.C10 * (a * I1 - 3) + c.C01 * (a * a * I2 - 3) + c.kappa / 2 * (J - 1) * (J - 1);
  }
};
HOLO_MATERIAL(MooneyRivlin, "mooney_rivlin", "rubber, linear in both invariants of shape")
