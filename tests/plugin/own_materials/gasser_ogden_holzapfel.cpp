// A fiber-reinforced material with dispersion, as an author would write it: its graph is large, and at rest and under every
// change of volume alone its fibers are about to be pulled, where the energy has a kink in its third derivatives.
#include <holo/plugin/material.h>

struct GasserOgdenHolzapfel {
  template <class S>
  struct Coefficients {
    S mu, kappa, k1, k2, dispersion;
    Vector3<S> fiber;
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    return {p.positive("shear_modulus", "Pa"),      p.positive("bulk_modulus", "Pa"),
            p.positive("fiber_stiffness", "Pa"),    p.in_range("fiber_stiffening", "1", 0.1, 1.0),
            p.in_range("dispersion", "1", 0, 0.33), p.direction("fiber")};
  }
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    const S J = determinant(F), scale = pow(J, -2.0 / 3), b1 = scale * squared_norm(F);
    const S b4 = scale * squared_norm(F * c.fiber);
    const S pulled = max(c.dispersion * (b1 - 3) + (1 - 3 * c.dispersion) * (b4 - 1), S(0));
    return c.mu / 2 * (b1 - 3) + c.kappa / 2 * ((J * J - 1) / 2 - log(J)) + c.k1 / (2 * c.k2) * expm1(c.k2 * pulled * pulled);
  }
  static constexpr auto domain = Domain::positive_determinant;
};
HOLO_MATERIAL(GasserOgdenHolzapfel, "gasser_ogden_holzapfel", "fibers with dispersion that resist stretch alone")
