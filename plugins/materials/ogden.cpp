// Psi = sum_p mu_p/a_p (sum_i (J^(-1/3) s_i)^a_p - 3) + kappa/2 (J - 1)^2   [J/m^3]   [Ogden1972]
// of the principal stretches s_i > 0, J = s_1 s_2 s_3. Each of the three terms bears a share of the shear modulus:
// mu_p a_p = 2 mu share_p / (share_1 + share_2 + share_3), so that mu is that of small strains.
#include <holo/plugin/material.h>

struct Ogden {
  static constexpr auto domain = Domain::positive_determinant;
  static constexpr bool is_calibrated = true;
  static constexpr const char* coefficient_names[] = {"kappa", "mu_1", "mu_2", "mu_3", "a_1", "a_2", "a_3"};
  template <class S>
  struct Coefficients {
    S kappa;        // Pa
    Vector3<S> mu;  // Pa
    Vector3<S> a;
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    const auto moduli = read_isotropic_moduli(p);
    const Vector3<P> a{p.in_range("exponent_1", "1", 0, 10, {.default_value = 1.3}),
                       p.in_range("exponent_2", "1", 0, 10, {.default_value = 5.0}),
                       p.in_range("exponent_3", "1", -10, 0, {.default_value = -2.0})};
    const Vector3<P> share{p.positive("share_1", "1", {.default_value = 0.819}),
                           p.positive("share_2", "1", {.default_value = 0.006}),
                           p.positive("share_3", "1", {.default_value = 0.02})};
    Coefficients<P> c{moduli.bulk_modulus(), {}, a};
    for (int k = 0; k < 3; ++k) c.mu[k] = 2 * moduli.mu * share[k] / ((share[0] + share[1] + share[2]) * a[k]);
    return c;
  }
  template <class S>
  static constexpr S energy_of_stretches(const S& s1, const S& s2, const S& s3, const Coefficients<S>& c) {
    const S logs[] = {log(s1), log(s2), log(s3)}, mean = (logs[0] + logs[1] + logs[2]) / 3, J = s1 * s2 * s3;
    S psi = c.kappa / 2 * (J - 1) * (J - 1);
    for (int p = 0; p < 3; ++p) {
      S sum = -3;
      for (const S& one : logs) sum += exp(c.a[p] * (one - mean));
      psi += c.mu[p] / c.a[p] * sum;
    }
    return psi;
  }
};
HOLO_MATERIAL(Ogden, "ogden", "rubber, powers of the principal stretches")
