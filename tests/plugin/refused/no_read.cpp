// refused: A material needs its parameters
#include <holo/plugin/material.h>

struct NoRead {
  template <class S>
  struct Coefficients {
    S mu;
  };
#ifndef HOLO_REFUSED
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    return {p.positive("shear_modulus", "Pa")};
  }
#endif
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    return c.mu * squared_norm(F);
  }
};
HOLO_MATERIAL(NoRead, "no_read", "has no parameters")
