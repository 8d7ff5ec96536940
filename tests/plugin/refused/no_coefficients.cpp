// refused: A material needs its coefficients
#include <holo/plugin/material.h>

struct Bare {
#ifndef HOLO_REFUSED
  template <class S>
  struct Coefficients {
    S mu;
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    return {p.positive("shear_modulus", "Pa")};
  }
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    return c.mu * squared_norm(F);
  }
#endif
};
HOLO_MATERIAL(Bare, "bare", "has nothing")
