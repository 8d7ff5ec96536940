#pragma once
// Lame's constants of an isotropic solid from Young's modulus and Poisson's ratio; base of materials with these constants
// alone.

#include "holo/plugin/parameters.h"

namespace holo {

template <class P>
struct IsotropicModuli {
  P lambda, mu;  // Lame's constants [Pa]; mu is the shear modulus

  P bulk_modulus() const { return lambda + 2 * mu / 3; }  // [Pa]
};

// Reads the parameters youngs_modulus [Pa], positive, and poissons_ratio, between -1 and 0.5.
template <class P>
IsotropicModuli<P> read_isotropic_moduli(const ParameterReader<P>& p) {
  const P E = p.positive("youngs_modulus", "Pa", {.documentation = "Stiffness in uniaxial tension at small strains"});
  const P nu = p.in_range("poissons_ratio", "1", -1, 0.5, {.documentation = "Lateral contraction; near 0.5: incompressible"});
  return {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))};
}

// The base of a material whose coefficients are Lame's constants and nothing else:
//   struct Corotational : LameMaterial { ... };
struct LameMaterial {
  static constexpr const char* coefficient_names[] = {"lambda", "mu"};
  template <class S>
  using Coefficients = IsotropicModuli<S>;
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    return read_isotropic_moduli(p);
  }
};

}  // namespace holo
