// Foam rubber, [Blatz and Ko 1962]: psi(F) = mu/2 (|cof F|^2 / J^2 + 2 J - 5)   [J/m^3]
#include <holo/plugin/material.h>

struct BlatzKo {
  static constexpr auto domain = Domain::positive_determinant;

  template <class S>
  struct Coefficients {
    S mu;  // Pa
  };

  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    return {p.positive("shear_modulus", "Pa")};
  }

  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    S J = determinant(F);
    return c.mu / 2 * (squared_norm(cofactor(F)) / (J * J) + 2 * J - 5);
  }
};

HOLO_MATERIAL(BlatzKo, "blatz_ko", "compressible foam rubber, Poisson's ratio 1/4")
