// refused: A material needs its energy
#include <holo/plugin/material.h>

struct NoEnergy {
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
  static constexpr S energy(const Matrix3<S>& F, const Coefficients<S>& c){
#else
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
#endif
      return c.mu * squared_norm(F);
}
}
;
HOLO_MATERIAL(NoEnergy, "no_energy", "its energy has another name")
