// A material whose hand-written stress and stress differential are wrong: the tests of every material must find it out.
#include <holo/plugin/material.h>

struct WrongStress {
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
    const Matrix3<S> E = 0.5 * (transpose(F) * F - identity3<S>());
    return c.mu * squared_norm(E);
  }
  template <class S>
  static Matrix3<S> first_piola_stress(const Matrix3<S>& F, const Coefficients<S>& c) {
    const Matrix3<S> E = 0.5 * (transpose(F) * F - identity3<S>());
    return (2 + 1e-9) * c.mu * F * E;
  }
  template <class S>
  static Matrix3<S> first_piola_stress_differential(const Matrix3<S>& F, const Matrix3<S>& dF, const Coefficients<S>& c) {
    const Matrix3<S> dE = transpose(F) * dF;  // its symmetric part was forgotten
    return 2 * c.mu * (dF * (0.5 * (transpose(F) * F - identity3<S>())) + F * dE);
  }
};
HOLO_MATERIAL(WrongStress, "wrong_stress", "a hand-written stress that is not the derivative of the energy")
