// refused: write select(condition, a, b) instead of if
#include <holo/plugin/material.h>

struct Branching {
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
    const S J = determinant(F);
#ifdef HOLO_REFUSED
    if (J > 1) return c.mu * J;
    return c.mu * J * J;
#else
    return select(J > 1, c.mu * J, c.mu * J * J);
#endif
  }
};
HOLO_MATERIAL(Branching, "branching", "branches on a scalar")
