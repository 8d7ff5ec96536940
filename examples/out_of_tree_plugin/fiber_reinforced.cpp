// Soft tissue with one family of fibers that bear tension alone   [J/m^3]
// psi(F) = mu/2 (tr F^T F - 3 - 2 ln J) + k/2 max(|F a| - 1, 0)^2,  a the fibers' direction at rest, J = det F > 0
// An experiment gives the direction for the body or for each element: fiber: {field: fibers}
#include <holo/plugin/material.h>

struct FiberReinforced {
  static constexpr auto domain = Domain::positive_determinant;
  static constexpr const char* coefficient_names[] = {"mu", "k", "fiber_x", "fiber_y", "fiber_z"};

  template <class S>
  struct Coefficients {
    S mu, k;           // Pa
    Vector3<S> fiber;  // of length 1
  };

  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    return {p.positive("shear_modulus", "Pa"), p.positive("fiber_stiffness", "Pa"),
            p.direction("fiber", {.documentation = "direction of the fibers at rest; any length but 0"})};
  }

  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    const S stretch = sqrt(squared_norm(F * c.fiber));
    const S tension = select(stretch > 1, stretch - 1, S(0));
    return c.mu / 2 * (squared_norm(F) - 3 - 2 * log(determinant(F))) + c.k / 2 * tension * tension;
  }
};

HOLO_MATERIAL(FiberReinforced, "fiber_reinforced", "soft tissue with fibers that bear tension alone")
