// Psi(F) = mu/2 (tr F^T F - 3) - mu ln J + lambda/2 (ln J)^2,  J = det F > 0   [J/m^3]
// Compressible neo-Hookean: the energy grows without bound as volume vanishes.
#include <holo/plugin/material.h>

struct LogNeoHookean : LameMaterial {
  static constexpr auto domain = Domain::positive_determinant;
  static constexpr bool is_calibrated = true;
  template <class S>
  static constexpr S energy_of_invariants(const S& I1, const S&, const S& J, const Coefficients<S>& c) {
    const S log_J = log(J);
    return c.mu / 2 * (I1 - 3) - c.mu * log_J + c.lambda / 2 * log_J * log_J;
  }
};
HOLO_MATERIAL(LogNeoHookean, "neo_hookean_log", "compressible neo-Hookean solid with logarithms of the volume")
