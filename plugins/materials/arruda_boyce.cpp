// Psi(F) = mu_A sum_i c_i/N^(i-1) (b^i - 3^i) + kappa/2 (J - 1)^2,  b = J^(-2/3) tr F^T F,  J = det F > 0   [J/m^3]
// c = (1/2, 1/20, 11/1050, 19/7000, 519/673750)   [ArrudaBoyce1993]
// Eight chains of N segments each. mu_A = mu / sum_i 2 i c_i (3/N)^(i-1) makes mu the shear modulus of small strains.
#include <holo/plugin/material.h>

struct ArrudaBoyce {
  static constexpr auto domain = Domain::positive_determinant;
  static constexpr bool is_calibrated = true;
  static constexpr double c[] = {1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};
  static constexpr const char* coefficient_names[] = {"kappa", "mu_A", "N"};
  template <class S>
  struct Coefficients {
    S kappa, mu_A;  // Pa
    S N;
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    const P N = p.positive("chain_segments", "1", {.default_value = 5.0, .documentation = "Segments of a polymer chain"});
    P sum = 0, power = 1;
    for (int i = 0; i < 5; ++i, power *= 3 / N) sum += 2 * (i + 1) * c[i] * power;
    return {moduli.bulk_modulus(), moduli.mu / sum, N};
  }
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& k) {
    const S b = pow(J, -2.0 / 3) * I1;
    S sum = 0, power = b, scale = 1;
    double rest = 3;
    for (int i = 0; i < 5; ++i, power *= b, scale /= k.N, rest *= 3) sum += c[i] * scale * (power - rest);
    return k.mu_A * sum + k.kappa / 2 * (J - 1) * (J - 1);
  }
};
HOLO_MATERIAL(ArrudaBoyce, "arruda_boyce", "rubber of eight polymer chains that stiffen as they are drawn out")
