// Psi(F) = m/2 (tr F^T F - 3) - 3m/4 (J - 1) + l/2 (J - 1)^2 - m/2 ln((tr F^T F + 1)/4),  J = det F   [J/m^3]   [Smith2018]
// m = 4/3 mu and l = lambda + 5/6 mu make lambda and mu those of small strains. The paper's l/2 (J - alpha)^2 with
// alpha = 1 + 3m/(4l) is written out, so that the energy vanishes at rest. Defined for every F, inverted ones too.
#include <holo/plugin/material.h>

struct SmithNeoHookean {
  static constexpr bool is_calibrated = true;
  static constexpr const char* coefficient_names[] = {"l", "m"};
  template <class S>
  struct Coefficients {
    S l, m;  // Pa
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    return {moduli.lambda + 5 * moduli.mu / 6, 4 * moduli.mu / 3};
  }
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& c) {
    return c.m / 2 * (I1 - 3) - 0.75 * c.m * (J - 1) + c.l / 2 * (J - 1) * (J - 1) - c.m / 2 * log((I1 + 1) / 4);
  }
};
HOLO_MATERIAL(SmithNeoHookean, "stable_neo_hookean_smith",
              "neo-Hookean solid that survives inversion, with the log barrier at 0")
