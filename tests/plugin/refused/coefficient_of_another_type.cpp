// refused: must be of type S, Vector3<S> or Matrix3<S>
#include <holo/plugin/material.h>

struct Counted {
  template <class S>
  struct Coefficients {
    S mu;
#ifdef HOLO_REFUSED
    int count;
#else
    S count;
#endif
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    return {p.positive("shear_modulus", "Pa"), 1};
  }
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    return c.mu * squared_norm(F) * c.count;
  }
};
HOLO_MATERIAL(Counted, "counted", "has a coefficient that is no scalar")
