// refused: the energy must return its scalar type S
#include <holo/plugin/material.h>

struct Rounded {
  template <class S>
  struct Coefficients {
    S mu;
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    return {p.positive("shear_modulus", "Pa")};
  }
#ifdef HOLO_REFUSED
  template <class S>
  static constexpr float energy_density(const Matrix3<S>&, const Coefficients<S>&) {
    return 1.0f;
  }
#else
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    return c.mu * squared_norm(F);
  }
#endif
};
HOLO_MATERIAL(Rounded, "rounded", "returns a float")
