// Psi(F) = mu (b1 - 3) + lambda/2 ln(1 - 4 (J - 1)^2)^2 + kappa_0/2 (J - 1)^2   [J/m^3]   [Luo2019] Eq 38
// b1 = J^(-2/3) tr F^T F,  1/2 < J = det F < 3/2. The paper's constants as they are: the shear modulus of small strains is
// 2 mu, the bulk modulus 0 (kappa_0 where regularized). Volume resists ever more as it nears 1/2 or 3/2.
#include <holo/plugin/material.h>

struct VolumePreserving {
  static constexpr auto domain = Domain::determinant_between(0.5, 1.5);
  static constexpr const char* coefficient_names[] = {"lambda", "mu", "kappa_0"};
  template <class S>
  struct Coefficients {
    S lambda, mu, kappa_0;  // Pa
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    const bool regularized = p.flag(
        "regularized", {.default_value = false, .documentation = "Adds kappa_0 = mu/1000, for modes and for Newton near rest"});
    return {moduli.lambda, moduli.mu, regularized ? 1e-3 * moduli.mu : P(0.0)};
  }
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& c) {
    const S e = J - 1, barrier = log1p(-4 * e * e);
    return c.mu * (pow(J, -2.0 / 3) * I1 - 3) + c.lambda / 2 * barrier * barrier + c.kappa_0 / 2 * e * e;
  }
};
HOLO_MATERIAL(VolumePreserving, "volume_preserving", "solid that keeps its volume between half and one and a half")
