// Psi(F) = mu/(2b) (exp(b (b1 - 3)) - 1) + kappa/2 (J - 1)^2,  b1 = J^(-2/3) tr F^T F,  J = det F > 0   [J/m^3]   [Fung1993]
// Soft tissue: stiffens exponentially. An exponent above 600 counts as infinite.
#include <holo/plugin/material.h>

struct Fung {
  static constexpr auto domain = Domain::positive_determinant;
  static constexpr bool is_calibrated = true;
  static constexpr const char* coefficient_names[] = {"kappa", "mu", "b"};
  template <class S>
  struct Coefficients {
    S kappa, mu;  // Pa
    S b;
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    const P b = p.positive("stiffening", "1", {.default_value = 2.0, .documentation = "Exponent b of the stiffening"});
    return {moduli.bulk_modulus(), moduli.mu, b};
  }
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& c) {
    const S exponent = c.b * (pow(J, -2.0 / 3) * I1 - 3);
    const S growth = select(exponent < 600, expm1(exponent), S(std::numeric_limits<double>::infinity()));
    return c.mu / (2 * c.b) * growth + c.kappa / 2 * (J - 1) * (J - 1);
  }
};
HOLO_MATERIAL(Fung, "fung", "soft tissue that stiffens exponentially")
